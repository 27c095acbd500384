import { type GenerationRequest, type LossReport, type Tool } from '@sluice/canonical';
import { unsupportedTool } from '../../text/unsupported.ts';
import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Encodes tools and tool choice. Other vendors' tools are dropped.
 * @throws GatewayError `unsupported_parameter` if the only tool or a forced tool belongs to another vendor
 */
export function encodeTools(request: GenerationRequest, report: LossReport): JsonObject {
  const { parallelToolCalls, toolChoice } = request;
  const foreign = request.protocol === 'responses' ? [] : request.tools.filter(({ kind }) => kind === 'hosted');
  const tools = request.tools.filter((tool) => !foreign.includes(tool));
  for (const { name } of foreign) {
    const isForced = toolChoice?.type === 'tool' && toolChoice.name === name;
    if (tools.length === 0 || isForced) throw unsupportedTool(name, 'tools');
    report({ field: `tools[${name}]`, how: 'dropped' });
  }
  if (request.modalities?.includes('image') === true) {
    tools.push({ kind: 'hosted', name: 'image_generation', raw: { type: 'image_generation' } });
  }
  if (tools.length === 0) return {};
  return {
    tools: tools.map(encodeTool),
    tool_choice: encodeChoice(request, tools),
    parallel_tool_calls: parallelToolCalls,
  };
}

function encodeTool(tool: Tool): JsonObject {
  const { kind, name, description, schema, strict, grammar } = tool;
  // The cast is safe because this protocol's decoder requires an object.
  if (kind === 'hosted') return tool.raw as JsonObject;
  const head = { type: kind, name, description };
  if (kind === 'custom') return { ...head, format: isRecord(grammar) ? flatGrammar(grammar) : undefined };
  // If `strict` is omitted, OpenAI rewrites the schema to a strict schema.
  return { ...head, parameters: withProperties(schema), strict: strict ?? false };
}

/** OpenAI rejects an object schema without `properties`. MCP servers send such schemas for tools without arguments. */
function withProperties(schema: Tool['schema']): Record<string, unknown> {
  const { type, properties } = schema ?? { type: 'object' };
  return type === 'object' && properties === undefined ? { ...schema, type, properties: {} } : { ...schema };
}

/** Chat completions nest syntax and definition one level deeper. */
function flatGrammar(grammar: JsonObject): JsonObject {
  const { grammar: nested, ...rest } = grammar;
  return isRecord(nested) ? { ...rest, ...nested } : grammar;
}

function encodeChoice({ toolChoice }: GenerationRequest, tools: readonly Tool[]): unknown {
  const reference = (name: string): JsonObject => {
    const kind = tools.find((tool) => tool.name === name)?.kind ?? 'function';
    return kind === 'hosted' ? { type: name } : { type: kind, name };
  };
  switch (toolChoice?.type) {
    case undefined:
      return undefined;
    case 'tool':
      return reference(toolChoice.name);
    case 'allowed':
      return { type: 'allowed_tools', mode: toolChoice.mode, tools: toolChoice.names.map(reference) };
    case 'auto':
    case 'none':
    case 'required':
      return toolChoice.type;
  }
}
