import type { GatewayError, LossReport, Tool, ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeCache } from '../wire/cache-control.ts';
import { invalidField } from '../../json/json-field.ts';
import { unsupportedField } from '../wire/unsupported-field.ts';
import { type JsonObject, asObjects, asString } from '../../json/values.ts';

/**
 * Reads `tools` and the tools of `tool_addition` blocks; of two with one name the later wins. A tool with a type of its
 * own
 * is hosted: it runs at the vendor or is known there by that type.
 * @throws GatewayError `invalid_request`
 */
export function decodeTools(tools: unknown, messages: readonly JsonObject[]): Tool[] {
  const listed = Array.isArray(tools) ? tools : [];
  const found = listed.map((tool: unknown, index) => decodeTool(tool, `tools[${index}]`));
  const byName = new Map(found.map((tool) => [tool.name, tool]));
  for (const tool of messages.flatMap(addedTools)) byName.set(tool.name, tool);
  return [...byName.values()];
}

function decodeTool(tool: unknown, param: string): Tool {
  if (!isRecord(tool)) throw invalidField(param, 'must be an object');
  const type = asString(tool['type']) ?? 'custom';
  if (type !== 'custom') return { kind: 'hosted', name: type, raw: tool };
  const name = asString(tool['name']);
  if (name === undefined || name === '') throw invalidField(`${param}[name]`, 'is required');
  return decodeFunction(name, tool);
}

/** Hints on when the vendor loads a tool are dropped: it is always loaded. */
function decodeFunction(name: string, tool: JsonObject): Tool {
  const description = asString(tool['description']);
  const schema = tool['input_schema'];
  return {
    kind: 'function',
    ...toolName(name),
    ...(description !== undefined && { description }),
    ...(isRecord(schema) && { schema }),
    ...(typeof tool['strict'] === 'boolean' && { strict: tool['strict'] }),
    ...decodeCache(tool['cache_control']),
  };
}

function addedTools({ content }: JsonObject): Tool[] {
  return asObjects(content).flatMap(({ type, tool }) => {
    if (type !== 'tool_addition' || !isRecord(tool) || !isRecord(tool['input_schema'])) return [];
    const name = asString(tool['name']);
    return name === undefined ? [] : [decodeFunction(name, tool)];
  });
}

export interface DecodedChoice {
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
}

/** @throws GatewayError `invalid_request` */
export function decodeToolChoice(choice: unknown, tools: readonly Tool[]): DecodedChoice {
  if (!isRecord(choice)) return {};
  const parallel = choice['disable_parallel_tool_use'] === true && { parallelToolCalls: false };
  switch (choice['type']) {
    case 'auto':
    case 'none':
      return { toolChoice: { type: choice['type'] }, ...parallel };
    case 'any':
      return { toolChoice: { type: 'required' }, ...parallel };
    case 'tool': {
      const name = asString(choice['name']);
      if (name === undefined) throw invalidField('tool_choice[name]', 'is required');
      return { toolChoice: { type: 'tool', name: chosenName(name, tools) }, ...parallel };
    }
    default:
      throw invalidField('tool_choice[type]', 'must be auto, any, tool, or none');
  }
}

/** Clients choose a hosted tool by its own name; the canonical model identifies it by its type. */
function chosenName(name: string, tools: readonly Tool[]): string {
  const hosted = tools.find(({ kind, raw }) => kind === 'hosted' && isRecord(raw) && raw['name'] === name);
  return hosted?.name ?? flatToolName(name);
}

/**
 * Rejects references to the vendor's state and reports what is dropped.
 * @throws GatewayError `unsupported_parameter`
 */
export function refuseVendorState(body: JsonObject, report: LossReport): void {
  const { mcp_servers: servers, container, thread } = body;
  if (Array.isArray(servers) && servers.length > 0) throw notServed('mcp_servers', 'MCP servers');
  if (isRecord(container) && Array.isArray(container['skills']) && container['skills'].length > 0) {
    throw notServed('container[skills]', 'skills');
  }
  if (isRecord(thread) && thread['type'] === 'continue') throw notServed('thread', 'threads');
  if (container !== undefined && container !== null) report({ field: 'container', how: 'dropped' });
}

function notServed(param: string, what: string): GatewayError {
  return unsupportedField(
    param,
    `${param} is not supported: the upstream of this model has no ${what}. Remove the field.`,
  );
}
