import { type GenerationRequest, type LossReport, type Tool } from '@sluice/canonical';
import { unsupportedTool } from '../../text/unsupported.ts';
import { customAsFunction } from '../../text/tool-arguments.ts';
import type { ModelTraits } from './model-traits.ts';

/**
 * Encodes `tools`, `tool_choice`, and `parallel_tool_calls`. Returns an empty object if the request has no tools.
 * @throws GatewayError `unsupported_parameter` if the only tool or a forced tool belongs to another vendor
 */
export function encodeTools(
  request: GenerationRequest,
  traits: ModelTraits,
  report: LossReport,
): Record<string, unknown> {
  const { toolChoice: choice, parallelToolCalls } = request;
  const supported = request.tools.filter((tool) => {
    if (tool.kind !== 'hosted' || request.protocol === 'chat-completions') return true;
    report({ field: `tools[${tool.name}]`, how: 'dropped' });
    return false;
  });
  const names = new Set(supported.map(({ name }) => name));
  const dropped = request.tools.filter((tool) => !names.has(tool.name));
  const forced = choice?.type === 'tool' ? dropped.find(({ name }) => name === choice.name) : undefined;
  if (forced) throw unsupportedTool(forced.name, 'tool_choice');
  // If all tools were dropped, the model would invent their results.
  if (dropped[0] && supported.length === 0 && choice?.type !== 'none') throw unsupportedTool(dropped[0].name, 'tools');
  if (supported.length === 0) return {};

  // Only OpenAI supports `allowed_tools`. For other vendors, the tools that are not allowed are omitted.
  const isFiltered = choice?.type === 'allowed' && !traits.isOpenAi;
  const tools = isFiltered ? supported.filter(({ name }) => choice.names.includes(name)) : supported;
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => encodeTool(tool, report)),
    tool_choice: isFiltered ? choice.mode : encodeChoice(choice, supported),
    parallel_tool_calls: parallelToolCalls,
  };
}

function encodeTool(tool: Tool, report: LossReport): unknown {
  if (tool.cache) report({ field: 'cache_control', how: 'dropped' });
  if (tool.kind === 'hosted') return tool.raw;
  const { name, description, schema, strict } = customAsFunction(tool);
  return { type: 'function', function: { name, description, parameters: withProperties(schema), strict } };
}

/** OpenAI rejects an object schema without `properties`. MCP servers send such schemas for tools without arguments. */
function withProperties(schema: Tool['schema']): Record<string, unknown> {
  const { type, properties } = schema ?? { type: 'object' };
  return type === 'object' && properties === undefined ? { ...schema, type, properties: {} } : { ...schema };
}

function encodeChoice(choice: GenerationRequest['toolChoice'], tools: readonly Tool[]): unknown {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
    case 'required':
      return choice.type;
    case 'tool': {
      const hosted = tools.find((tool) => tool.kind === 'hosted' && tool.name === choice.name);
      return hosted ? { type: hosted.name } : functionChoice(choice.name);
    }
    case 'allowed':
      return {
        type: 'allowed_tools',
        allowed_tools: { mode: choice.mode, tools: choice.names.map(functionChoice) },
      };
  }
}

function functionChoice(name: string): Record<string, unknown> {
  return { type: 'function', function: { name } };
}
