import type { GenerationRequest, LossReport, Tool, ToolChoice } from '@sluice/canonical';
import { customAsFunction } from '../../text/tool-arguments.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeCache, type WireCache } from '../../anthropic-style/cache-control.ts';
import type { JsonResponse } from './json-response.ts';
import type { ModelTraits } from '../../anthropic-style/model-traits.ts';
import { objectSchema } from '../../anthropic-style/object-schema.ts';
import { unsupportedTool } from '../../text/unsupported.ts';
import { type JsonObject, asNonEmptyString, asString } from '../../json/values.ts';

interface WireTool extends WireCache {
  name: string;
  description: string | undefined;
  input_schema: JsonObject;
  strict: boolean | undefined;
}

type WireToolChoice =
  | { type: 'none' }
  | { type: 'auto' | 'any'; disable_parallel_tool_use?: true | undefined }
  | { type: 'tool'; name: string; disable_parallel_tool_use?: true | undefined };

export interface EncodedTools {
  tools?: (WireTool | JsonObject)[];
  tool_choice?: WireToolChoice;
  /** Replaces a tool choice that the model does not support. */
  instruction?: string;
}

export interface ToolsInput {
  request: GenerationRequest;
  traits: ModelTraits;
  /** Whether the model thinks. If it does, it rejects a forced tool. */
  thinks: boolean;
  responseTool: JsonResponse['tool'];
  /** Names of the tools that the conversation calls. The vendor requires a declaration for each. */
  calledTools: readonly string[];
  report: LossReport;
}

/** @throws GatewayError `unsupported_parameter` if the only tool or a forced tool is another vendor's hosted tool */
export function encodeTools(input: ToolsInput): EncodedTools {
  const { request, responseTool, calledTools } = input;
  const hosted = hostedTools(input);
  const { toolChoice: choice } = request;
  const allowed = choice?.type === 'allowed' ? new Set(choice.names) : undefined;
  const functions = request.tools.filter(({ kind, name }) => kind !== 'hosted' && (allowed?.has(name) ?? true));
  const clientTools = [...functions.map((tool) => encodeTool(tool, input)), ...hosted];
  const isOmitted = responseTool !== undefined && choice?.type === 'none' && clientTools.length > 0;
  if (isOmitted) input.report({ field: 'tools', how: 'dropped' });
  const tools = [...(isOmitted ? [] : clientTools), ...(responseTool ? [responseTool] : [])];
  if (tools.length === 0) return calledTools.length === 0 ? {} : declareTools(calledTools);
  return { tools, ...encodeChoice(input, tools.length) };
}

function encodeTool(tool: Tool, { traits, report }: ToolsInput): WireTool {
  const { name, description, schema, strict, cache } = customAsFunction(tool);
  if (strict === true && !traits.jsonSchema) report({ field: 'tools[].strict', how: 'dropped' });
  return {
    name: flatToolName(name),
    description: asNonEmptyString(description),
    input_schema: objectSchema(schema),
    strict: strict === true && traits.jsonSchema ? strict : undefined,
    cache_control: encodeCache(cache),
  };
}

/** Hosted tools from clients of this protocol are sent unchanged. Hosted tools of other protocols are dropped. */
function hostedTools({ request, report }: ToolsInput): JsonObject[] {
  const hosted = request.tools.filter(({ kind }) => kind === 'hosted');
  if (request.protocol === 'messages') return hosted.flatMap(({ raw }) => (isRecord(raw) ? [{ ...raw }] : []));
  const choice = request.toolChoice;
  const forced = choice?.type === 'tool' ? hosted.find(({ name }) => name === choice.name) : undefined;
  if (forced) throw unsupportedTool(forced.name, 'tool_choice');
  const only = hosted.length === request.tools.length && choice?.type !== 'none' ? hosted[0] : undefined;
  if (only) throw unsupportedTool(only.name, 'tools');
  for (const { name } of hosted) report({ field: `tools[${name}]`, how: 'dropped' });
  return [];
}

/** Declares called tools, because some clients omit `tools` in the last request of a conversation with calls. */
function declareTools(names: readonly string[]): EncodedTools {
  const tools = names.map((name) => ({ name, input_schema: objectSchema(undefined) }));
  return { tools, tool_choice: { type: 'none' } };
}

function encodeChoice(input: ToolsInput, count: number): Pick<EncodedTools, 'tool_choice' | 'instruction'> {
  const { request, traits, thinks, responseTool, report } = input;
  const disable_parallel_tool_use = request.parallelToolCalls === false || responseTool ? true : undefined;
  const choice = responseTool
    ? responseChoice(responseTool.name, count)
    : wireChoice(request.toolChoice, request.tools);
  if (!choice && request.parallelToolCalls !== false) return {};
  if (!choice || choice.type === 'auto') return { tool_choice: { type: 'auto', disable_parallel_tool_use } };
  if (choice.type === 'none') return { tool_choice: { type: 'none' } };
  if (traits.forcedTool && !thinks) return { tool_choice: { ...choice, disable_parallel_tool_use } };
  if (!responseTool) report({ field: 'tool_choice', how: 'replaced' });
  return {
    tool_choice: { type: 'auto', disable_parallel_tool_use },
    instruction: forcingInstruction(choice, responseTool !== undefined),
  };
}

type ForcedChoice = { type: 'any' } | { type: 'tool'; name: string };

function responseChoice(name: string, count: number): ForcedChoice {
  return count === 1 ? { type: 'tool', name } : { type: 'any' };
}

function wireChoice(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
): ForcedChoice | { type: 'auto' } | { type: 'none' } | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'required':
      return { type: 'any' };
    case 'allowed':
      return { type: choice.mode === 'required' ? 'any' : 'auto' };
    case 'tool': {
      const raw = tools.find(({ name, kind }) => kind === 'hosted' && name === choice.name)?.raw;
      const hostedName = isRecord(raw) ? asString(raw['name']) : undefined;
      return { type: 'tool', name: hostedName ?? flatToolName(choice.name) };
    }
  }
}

function forcingInstruction(choice: ForcedChoice, isResponse: boolean): string {
  if (choice.type === 'tool') return `You must call the tool ${choice.name}.`;
  return isResponse ? 'Give your final answer by calling a tool, never as text.' : 'You must call a tool.';
}
