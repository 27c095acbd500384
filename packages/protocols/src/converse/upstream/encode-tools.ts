import type { GenerationRequest, LossReport, Tool } from '@sluice/canonical';
import { encodeCache, type WireCache } from '../../anthropic-style/cache-control.ts';
import { objectSchema } from '../../anthropic-style/object-schema.ts';
import { asNonEmptyString, type JsonObject } from '../../json/values.ts';
import { requestsSingleCall } from '../../text/single-call.ts';
import { customAsFunction } from '../../text/tool-arguments.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { unsupportedTool } from '../../text/unsupported.ts';
import type { ConverseTraits } from './converse-traits.ts';

interface MarkedTool extends WireCache {
  block: JsonObject;
}

export interface EncodedTools {
  tools: MarkedTool[];
  toolChoice?: JsonObject | undefined;
  /** Replaces a tool choice that Converse or the model does not support. */
  instruction?: string | undefined;
}

export interface ToolsInput {
  request: GenerationRequest;
  traits: ConverseTraits;
  /** Whether Claude thinks. If it does, it rejects a forced tool. */
  thinks: boolean;
  calledTools: readonly string[];
  report: LossReport;
}

/**
 * Encodes the tools. Converse has no choice `none`: the tools are then omitted, unless the conversation has calls, whose
 * tools must be declared.
 * @throws GatewayError `unsupported_parameter` if the only tool or a forced tool is another vendor's hosted tool
 */
export function encodeTools(input: ToolsInput): EncodedTools {
  const { request, traits, calledTools, report } = input;
  const { toolChoice: choice } = request;
  rejectHosted(request, report);
  const allowed = choice?.type === 'allowed' ? new Set(choice.names) : undefined;
  const functions = request.tools.filter(({ kind, name }) => kind !== 'hosted' && (allowed?.has(name) ?? true));
  if (choice?.type === 'none' && calledTools.length === 0) {
    if (functions.length > 0) report({ field: 'tools', how: 'dropped' });
    return { tools: [] };
  }
  const tools = functions.map((tool) => encodeTool(tool, traits, report));
  if (requestsSingleCall(request) && tools.length > 0) report({ field: 'parallel_tool_calls', how: 'dropped' });
  if (choice?.type === 'none' || tools.length === 0) {
    if (choice?.type === 'none') report({ field: 'tool_choice', how: 'replaced' });
    const declared = tools.length > 0 ? tools : calledTools.map(declaration);
    return { tools: declared, instruction: declared.length > 0 ? 'Do not call any tool.' : undefined };
  }
  return { tools, ...encodeChoice(input) };
}

function rejectHosted({ tools, toolChoice: choice }: GenerationRequest, report: LossReport): void {
  const hosted = tools.filter(({ kind }) => kind === 'hosted');
  const forced = choice?.type === 'tool' ? hosted.find(({ name }) => name === choice.name) : undefined;
  if (forced) throw unsupportedTool(forced.name, 'tool_choice');
  const only = hosted.length === tools.length && choice?.type !== 'none' ? hosted[0] : undefined;
  if (only) throw unsupportedTool(only.name, 'tools');
  for (const { name } of hosted) report({ field: `tools[${name}]`, how: 'dropped' });
}

function encodeTool(tool: Tool, traits: ConverseTraits, report: LossReport): MarkedTool {
  const { name, description, schema, strict, cache } = customAsFunction(tool);
  if (strict === true && !traits.jsonSchema) report({ field: 'tools[].strict', how: 'dropped' });
  return {
    block: {
      toolSpec: {
        name: flatToolName(name),
        description: asNonEmptyString(description),
        inputSchema: { json: objectSchema(schema) },
        strict: strict === true && traits.jsonSchema ? strict : undefined,
      },
    },
    cache_control: encodeCache(cache),
  };
}

function declaration(name: string): MarkedTool {
  return { block: { toolSpec: { name, inputSchema: { json: objectSchema(undefined) } } } };
}

/** Without a choice, `auto` applies. */
function encodeChoice({ request, traits, thinks, report }: ToolsInput): Omit<EncodedTools, 'tools'> {
  const { toolChoice: choice } = request;
  const forced = choice?.type === 'tool' ? choice.name : undefined;
  const mustCall = choice?.type === 'required' || (choice?.type === 'allowed' && choice.mode === 'required');
  if (forced === undefined && !mustCall) return {};
  if (forced !== undefined && !thinks && traits.toolChoices.has('tool')) {
    return { toolChoice: { tool: { name: flatToolName(forced) } } };
  }
  if (forced === undefined && !thinks && traits.toolChoices.has('any')) return { toolChoice: { any: {} } };
  report({ field: 'tool_choice', how: 'replaced' });
  const instruction =
    forced === undefined ? 'You must call a tool.' : `You must call the tool ${flatToolName(forced)}.`;
  return { instruction };
}
