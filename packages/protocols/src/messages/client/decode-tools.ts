import type { GatewayError, GenerationRequest, LossReport, Tool, ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeCache } from '../../anthropic-style/cache-control.ts';
import { invalidField, JsonField } from '../../json/json-field.ts';
import { unsupportedField } from '../../text/unsupported.ts';
import { unsupportedThread } from '../../text/unsupported-thread.ts';
import { type JsonObject, asArray, asObject, asObjects, asString } from '../../json/values.ts';

/**
 * Decodes `tools` and the tools of `tool_addition` blocks. If two tools have the same name, the last one wins. A tool
 * with a vendor-specific type is hosted: the vendor runs or recognizes it by that type.
 * @throws GatewayError `invalid_request`
 */
export function decodeTools(tools: unknown, messages: readonly JsonObject[]): Tool[] {
  const listed = new JsonField(asArray(tools), 'tools').items().map(decodeTool);
  const all = [...listed, ...messages.flatMap(addedTools)];
  return [...new Map(all.map((tool) => [tool.name, tool])).values()];
}

function decodeTool(field: JsonField): Tool {
  const tool = field.value;
  if (!isRecord(tool)) throw field.invalid('must be an object');
  const type = asString(tool['type']) ?? 'custom';
  if (type !== 'custom') return { kind: 'hosted', name: type, raw: tool };
  const name = field.get('name');
  if (name.nonEmptyString === undefined) throw name.invalid('is required');
  return decodeFunction(name.nonEmptyString, tool);
}

/** Hints about when the vendor loads a tool are dropped, because upstreams always load it. */
function decodeFunction(name: string, tool: JsonObject): Tool {
  const { strict } = tool;
  return {
    kind: 'function',
    ...toolName(name),
    description: asString(tool['description']),
    schema: asObject(tool['input_schema']),
    strict: typeof strict === 'boolean' ? strict : undefined,
    cache: decodeCache(tool['cache_control']),
  };
}

function addedTools({ content }: JsonObject): Tool[] {
  return asObjects(content).flatMap(({ type, tool }) => {
    if (type !== 'tool_addition' || !isRecord(tool) || !isRecord(tool['input_schema'])) return [];
    const name = asString(tool['name']);
    return name === undefined ? [] : [decodeFunction(name, tool)];
  });
}

export function decodeToolChoice(
  choice: unknown,
  tools: readonly Tool[],
): Pick<GenerationRequest, 'toolChoice' | 'parallelToolCalls'> {
  if (!isRecord(choice)) return {};
  const parallelToolCalls = choice['disable_parallel_tool_use'] === true ? false : undefined;
  return { toolChoice: decodeChoice(choice, tools), parallelToolCalls };
}

function decodeChoice(choice: JsonObject, tools: readonly Tool[]): ToolChoice {
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return { type: choice['type'] };
    case 'any':
      return { type: 'required' };
    case 'tool': {
      const name = asString(choice['name']);
      if (name === undefined) throw invalidField('tool_choice[name]', 'is required');
      return { type: 'tool', name: chosenName(name, tools) };
    }
    default:
      throw invalidField('tool_choice[type]', 'must be auto, any, tool, or none');
  }
}

/** Clients choose a hosted tool by its name, but the canonical model identifies it by its type. */
function chosenName(name: string, tools: readonly Tool[]): string {
  const hosted = tools.find(({ kind, raw }) => kind === 'hosted' && isRecord(raw) && raw['name'] === name);
  return hosted?.name ?? flatToolName(name);
}

/**
 * @throws GatewayError `unsupported_parameter` or `thread_unsupported_request` for references to data that a vendor
 * stores
 */
export function refuseVendorState(body: JsonObject, report: LossReport): void {
  const { mcp_servers: servers, container, thread } = body;
  if (Array.isArray(servers) && servers.length > 0) throw unsupportedState('mcp_servers', 'MCP servers');
  if (isRecord(container) && Array.isArray(container['skills']) && container['skills'].length > 0) {
    throw unsupportedState('container[skills]', 'skills');
  }
  if (thread !== undefined && thread !== null) throw unsupportedThread();
  if (container !== undefined && container !== null) report({ field: 'container', how: 'dropped' });
}

function unsupportedState(param: string, what: string): GatewayError {
  return unsupportedField(
    param,
    `${param} is not supported: the upstream of this model has no ${what}. Remove the field.`,
  );
}
