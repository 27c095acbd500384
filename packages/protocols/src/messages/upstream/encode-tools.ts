import type { GenerationRequest, LossReport, Tool, ToolChoice } from '@sluice/canonical';
import { customAsFunction } from '../../text/tool-arguments.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeCache, type WireCache } from '../wire/cache-control.ts';
import type { JsonResponse } from './json-response.ts';
import type { ModelTraits } from '../wire/model-traits.ts';
import { objectSchema } from './object-schema.ts';
import { unsupportedField } from '../wire/unsupported-field.ts';
import { type JsonObject, asString } from '../../json/values.ts';

interface WireTool extends WireCache {
  name: string;
  description?: string;
  input_schema: JsonObject;
  strict?: boolean;
}

type WireToolChoice =
  | { type: 'none' }
  | { type: 'auto' | 'any'; disable_parallel_tool_use?: boolean }
  | { type: 'tool'; name: string; disable_parallel_tool_use?: boolean };

export interface EncodedTools {
  tools?: (WireTool | JsonObject)[];
  tool_choice?: WireToolChoice;
  /** Instruction in place of a tool that cannot be forced. */
  instruction?: string;
}

export interface ToolsInput {
  request: GenerationRequest;
  traits: ModelTraits;
  /** Models that think accept no forced tool. */
  thinks: boolean;
  /** The tool that represents the response format. */
  response: JsonResponse['tool'];
  /** Tools that the conversation calls; the vendor requires their declaration. */
  called: readonly string[];
  report: LossReport;
}

/**
 * Writes tools and tool choice.
 * @throws GatewayError `unsupported_parameter` when a hosted tool of another vendor is the only or the forced one
 */
export function encodeTools(input: ToolsInput): EncodedTools {
  const { request, response, called } = input;
  const hosted = carriedTools(input);
  const { toolChoice: choice } = request;
  const allowed = choice?.type === 'allowed' ? new Set(choice.names) : undefined;
  const wished = request.tools.filter(({ kind, name }) => kind !== 'hosted' && (allowed?.has(name) ?? true));
  const own = [...wished.map((tool) => encodeTool(tool, input.traits)), ...hosted];
  const tools = response && choice?.type === 'none' ? [response] : [...own, ...(response ? [response] : [])];
  if (tools.length === 0) return called.length === 0 ? {} : declareCalled(called);
  return { tools, ...encodeChoice(input, tools.length) };
}

function encodeTool(tool: Tool, traits: ModelTraits): WireTool {
  const { name, description, schema, strict, cache } = customAsFunction(tool);
  return {
    name: flatToolName(name),
    ...(description !== undefined && description !== '' && { description }),
    input_schema: objectSchema(schema),
    ...(strict === true && traits.jsonSchema && { strict }),
    ...encodeCache(cache),
  };
}

/** Hosted tools of this protocol's own clients pass unchanged; those of others are dropped. */
function carriedTools({ request, report }: ToolsInput): JsonObject[] {
  const hosted = request.tools.filter(({ kind }) => kind === 'hosted');
  if (request.protocol === 'messages') return hosted.flatMap(({ raw }) => (isRecord(raw) ? [{ ...raw }] : []));
  const choice = request.toolChoice;
  const forced = choice?.type === 'tool' ? hosted.find(({ name }) => name === choice.name) : undefined;
  if (forced) {
    throw unsupportedField(
      'tool_choice',
      `tool_choice cannot be ${forced.name}: the upstream of this model does not provide this tool.`,
    );
  }
  const only = hosted.length === request.tools.length && choice?.type !== 'none' ? hosted[0] : undefined;
  if (only)
    throw unsupportedField(
      'tools',
      `tools contains only ${only.name}, which the upstream of this model does not provide.`,
    );
  for (const { name } of hosted) report({ field: `tools[${name}]`, how: 'dropped' });
  return [];
}

/** Some clients drop the tools for the last turn of a conversation with calls. */
function declareCalled(called: readonly string[]): EncodedTools {
  const tools = called.map((name) => ({ name, input_schema: objectSchema(undefined) }));
  return { tools, tool_choice: { type: 'none' } };
}

function encodeChoice(input: ToolsInput, count: number): Pick<EncodedTools, 'tool_choice' | 'instruction'> {
  const { request, traits, thinks, response, report } = input;
  const parallel = request.parallelToolCalls === false || response ? { disable_parallel_tool_use: true } : {};
  const wanted = response ? responseChoice(response.name, count) : wireChoice(request.toolChoice, request.tools);
  if (!wanted || wanted.type === 'auto') {
    const said = wanted !== undefined || request.parallelToolCalls === false;
    return said ? { tool_choice: { type: 'auto', ...parallel } } : {};
  }
  if (wanted.type === 'none') return { tool_choice: wanted };
  if (traits.forcedTool && !thinks) return { tool_choice: { ...wanted, ...parallel } };
  if (!response) report({ field: 'tool_choice', how: 'replaced' });
  return { tool_choice: { type: 'auto', ...parallel }, instruction: forcingWords(wanted, response !== undefined) };
}

function responseChoice(name: string, count: number): WireToolChoice {
  return count === 1 ? { type: 'tool', name } : { type: 'any' };
}

function wireChoice(choice: ToolChoice | undefined, tools: readonly Tool[]): WireToolChoice | undefined {
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

function forcingWords(wanted: WireToolChoice, isResponse: boolean): string {
  if (wanted.type === 'tool') return `You must call the tool ${wanted.name}.`;
  return isResponse ? 'Give your final answer by calling a tool, never as text.' : 'You must call a tool.';
}
