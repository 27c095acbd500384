import { GatewayError, type LossReport, type Tool, type ToolChoice } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { JsonField } from '../../json/json-field.ts';
import { asObject } from '../../json/values.ts';
import { flatToolName, toolName } from '../../text/tool-names.ts';

/**
 * Decodes tools and flattens namespaces, whose descriptions are dropped.
 * @throws GatewayError `invalid_request`, or `unsupported_parameter` for MCP servers, which only the vendor can reach
 */
export function decodeTools(tools: JsonField, report: LossReport): Tool[] {
  return itemsOrNone(tools).flatMap((tool) => decodeTool(tool, report));
}

/** Joins lists of tools. If two tools have the same name, the later one wins. */
export function mergeTools(tools: readonly Tool[]): Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of tools) byName.set(`${tool.kind === 'hosted' ? 'hosted' : 'own'} ${tool.name}`, tool);
  return [...byName.values()];
}

function itemsOrNone(field: JsonField): JsonField[] {
  return Array.isArray(field.value) ? field.items() : [];
}

function decodeTool(tool: JsonField, report: LossReport, namespace?: string): Tool[] {
  if (!isRecord(tool.value)) throw tool.invalid('must be an object');
  const type = tool.get('type').requireString();
  switch (type) {
    case 'function':
      return [decodeFunction(tool, namespace)];
    case 'custom':
      return [decodeCustom(tool, namespace)];
    case 'namespace': {
      const name = tool.get('name').requireString();
      if (tool.get('description').nonEmptyString !== undefined) {
        report({ field: 'tools[namespace].description', how: 'dropped' });
      }
      return itemsOrNone(tool.get('tools')).flatMap((inner) => decodeTool(inner, report, name));
    }
    case 'mcp':
      throw new GatewayError(
        'unsupported_parameter',
        `${tool.path} is not supported: the upstream of this model cannot reach MCP servers.`,
        { param: tool.path },
      );
    default:
      return [{ kind: 'hosted', name: type, raw: tool.value }];
  }
}

function decodeFunction(tool: JsonField, namespace: string | undefined): Tool {
  const strict = tool.get('strict').value;
  return {
    kind: 'function',
    ...toolName(tool.get('name').requireString(), namespace),
    description: tool.get('description').string,
    schema: asObject(tool.get('parameters').value),
    strict: typeof strict === 'boolean' ? strict : undefined,
  };
}

function decodeCustom(tool: JsonField, namespace: string | undefined): Tool {
  return {
    kind: 'custom',
    ...toolName(tool.get('name').requireString(), namespace),
    description: tool.get('description').string,
    grammar: asObject(tool.get('format').value),
  };
}

/** Decodes the tool choice. Hosted tools are identified by type. @throws GatewayError `invalid_request` */
export function decodeToolChoice(value: unknown): ToolChoice | undefined {
  const choice = new JsonField(value, 'tool_choice');
  if (!choice.isSet) return undefined;
  if (value === 'none' || value === 'auto' || value === 'required') return { type: value };
  if (!isRecord(value)) throw choice.invalid('must be none, auto, required, or an object');
  if (value['type'] !== 'allowed_tools') return { type: 'tool', name: chosenName(choice) };
  const mode = value['mode'] === 'required' ? 'required' : 'auto';
  return { type: 'allowed', mode, names: itemsOrNone(choice.get('tools')).map(chosenName) };
}

function chosenName(tool: JsonField): string {
  const type = tool.get('type').requireString();
  if (type !== 'function' && type !== 'custom') return type;
  return flatToolName(tool.get('name').requireString(), tool.get('namespace').string);
}
