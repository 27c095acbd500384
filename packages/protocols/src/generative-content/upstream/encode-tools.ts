import { GatewayError, type GenerationRequest, type LossReport, type TextTarget, type Tool } from '@sluice/canonical';
import { requestsSingleCall } from '../../text/single-call.ts';
import { customAsFunction } from '../../text/tool-arguments.ts';
import { toOpenApiSchema } from './to-openapi-schema.ts';
import type { JsonObject } from '../../json/values.ts';

/** @throws GatewayError `unsupported_parameter` when the only tools, or the forced one, run at another vendor */
export function encodeTools(
  request: GenerationRequest,
  { quirks }: TextTarget,
  report: LossReport,
): { tools?: JsonObject[]; toolConfig?: JsonObject } {
  const { protocol, tools, toolChoice } = request;
  const isOwn = (tool: Tool) => tool.kind !== 'hosted' || protocol === 'generative-content';
  const foreign = tools.filter((tool) => !isOwn(tool));
  const own = tools.filter(isOwn);
  if (foreign.length > 0) {
    const isForced = toolChoice?.type === 'tool' && foreign.some((tool) => tool.name === toolChoice.name);
    if (isForced || own.length === 0) throw foreignTools(foreign, isForced ? 'tool_choice' : 'tools');
    for (const tool of foreign) report({ field: `tools[${tool.name}]`, how: 'dropped' });
  }
  if (own.length === 0) return {};
  if (requestsSingleCall(request)) report({ field: 'parallel_tool_calls', how: 'dropped' });

  // The API cannot restrict tools in mode AUTO.
  const allowed = toolChoice?.type === 'allowed' && toolChoice.mode === 'auto' ? new Set(toolChoice.names) : undefined;
  const functions = own.filter((tool) => tool.kind !== 'hosted' && (allowed?.has(tool.name) ?? true));
  if (functions.some(({ strict }) => strict)) report({ field: 'tools[].strict', how: 'dropped' });
  const functionDeclarations = functions.map((tool) => encodeFunction(customAsFunction(tool), quirks.full_schema));
  const hosted = own.flatMap((tool) => (tool.kind === 'hosted' ? [tool.raw as JsonObject] : [])); // verified by the decoder
  if (functions.length === 0) return { tools: hosted.length > 0 ? hosted : undefined };
  return {
    tools: [{ functionDeclarations }, ...hosted],
    toolConfig: toolChoice && { functionCallingConfig: encodeChoice(toolChoice) },
  };
}

function encodeFunction({ name, description, schema }: Tool, full = true): JsonObject {
  if (full) return { name, description, parametersJsonSchema: schema };
  return { name, description, parameters: schema && toOpenApiSchema(schema) };
}

function encodeChoice(choice: NonNullable<GenerationRequest['toolChoice']>): JsonObject {
  switch (choice.type) {
    case 'none':
      return { mode: 'NONE' };
    case 'auto':
      return { mode: 'AUTO' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'allowed':
      return choice.mode === 'auto' ? { mode: 'AUTO' } : { mode: 'ANY', allowedFunctionNames: choice.names };
  }
}

function foreignTools(tools: readonly Tool[], param: string): GatewayError {
  const names = tools.map((tool) => tool.name).join(', ');
  const message = `${param} contains ${names}, which the vendor of this model does not provide.`;
  return new GatewayError('unsupported_parameter', message, { param });
}
