import { GatewayError, type Tool, type ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { asList, asRecord, asText, type Fields, invalid, requiredText } from '../wire/wire-value.ts';

/**
 * Reads tools. Namespaces are flattened; a tool that comes twice counts as it came last. What only says how the vendor
 * loads or calls a tool (`defer_loading`, `allowed_callers`, `async`, `output_schema`) is left out.
 * @param param where they stand, for errors
 * @throws GatewayError `invalid_request`; `unsupported_parameter` for MCP servers, which the vendor alone reaches
 */
export function decodeTools(tools: readonly unknown[], param: string): Tool[] {
  return tools.flatMap((tool, index) => decodeTool(tool, `${param}[${index}]`));
}

/** Brings lists of tools together: a later tool takes the place of an earlier one of its name. */
export function mergeTools(tools: readonly Tool[]): Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of tools) byName.set(`${tool.kind === 'hosted' ? 'hosted' : 'own'} ${tool.name}`, tool);
  return [...byName.values()];
}

function decodeTool(tool: unknown, param: string, namespace?: string): Tool[] {
  if (!isRecord(tool)) throw invalid(param, 'must be an object');
  const type = requiredText(tool['type'], `${param}[type]`);
  switch (type) {
    case 'function':
      return [decodeFunction(tool, param, namespace)];
    case 'custom':
      return [decodeCustom(tool, param, namespace)];
    case 'namespace': {
      const name = requiredText(tool['name'], `${param}[name]`);
      return asList(tool['tools']).flatMap((inner, index) => decodeTool(inner, `${param}[tools][${index}]`, name));
    }
    case 'mcp':
      throw new GatewayError(
        'unsupported_parameter',
        `${param} is not supported: this model's upstream reaches no MCP servers.`,
        { param },
      );
    default:
      return [{ kind: 'hosted', name: type, raw: tool }];
  }
}

function decodeFunction(tool: Fields, param: string, namespace: string | undefined): Tool {
  const description = asText(tool['description']);
  const schema = asRecord(tool['parameters']);
  const strict = tool['strict'];
  return {
    kind: 'function',
    ...toolName(requiredText(tool['name'], `${param}[name]`), namespace),
    ...(description !== undefined && { description }),
    ...(schema && { schema }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

function decodeCustom(tool: Fields, param: string, namespace: string | undefined): Tool {
  const description = asText(tool['description']);
  const grammar = tool['format'];
  return {
    kind: 'custom',
    ...toolName(requiredText(tool['name'], `${param}[name]`), namespace),
    ...(description !== undefined && { description }),
    ...(isRecord(grammar) && { grammar }),
  };
}

/** Reads `tool_choice`. A hosted tool is named by its type. @throws GatewayError `invalid_request` */
export function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { type: choice };
  if (!isRecord(choice)) throw invalid('tool_choice', 'must be none, auto, required or an object');
  if (choice['type'] !== 'allowed_tools') return { type: 'tool', name: chosenName(choice, 'tool_choice') };
  const mode = choice['mode'] === 'required' ? 'required' : 'auto';
  const names = asList(choice['tools']).map((tool, index) => {
    if (!isRecord(tool)) throw invalid(`tool_choice[tools][${index}]`, 'must be an object');
    return chosenName(tool, `tool_choice[tools][${index}]`);
  });
  return { type: 'allowed', mode, names };
}

function chosenName(tool: Fields, param: string): string {
  const type = requiredText(tool['type'], `${param}[type]`);
  if (type !== 'function' && type !== 'custom') return type;
  return flatToolName(requiredText(tool['name'], `${param}[name]`), asText(tool['namespace']));
}
