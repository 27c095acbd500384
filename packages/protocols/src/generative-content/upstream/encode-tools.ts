import { type GenerationRequest, type LossReport, type TextTarget, type Tool } from '@sluice/canonical';
import { unsupportedTool } from '../../text/unsupported.ts';
import { requestsSingleCall } from '../../text/single-call.ts';
import { customAsFunction } from '../../text/tool-arguments.ts';
import { toOpenApiSchema } from './to-openapi-schema.ts';
import type { JsonObject } from '../../json/values.ts';

/** @throws GatewayError `unsupported_parameter` if the only tool or the forced tool runs at another vendor */
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
    const forced = toolChoice?.type === 'tool' ? foreign.find((tool) => tool.name === toolChoice.name) : undefined;
    if (forced) throw unsupportedTool(forced.name, 'tool_choice');
    if (foreign[0] && own.length === 0) throw unsupportedTool(foreign[0].name, 'tools');
    for (const tool of foreign) report({ field: `tools[${tool.name}]`, how: 'dropped' });
  }
  if (own.length === 0) return {};
  if (requestsSingleCall(request)) report({ field: 'parallel_tool_calls', how: 'dropped' });

  // The API cannot restrict tools in `AUTO` mode.
  const allowed = toolChoice?.type === 'allowed' && toolChoice.mode === 'auto' ? new Set(toolChoice.names) : undefined;
  const functions = own.filter((tool) => tool.kind !== 'hosted' && (allowed?.has(tool.name) ?? true));
  if (functions.some(({ strict }) => strict)) report({ field: 'tools[].strict', how: 'dropped' });
  const functionDeclarations = functions.map((tool) =>
    encodeFunction(customAsFunction(tool), report, quirks.full_schema),
  );
  // The cast is safe because the decoder validated the tool.
  const hosted = own.flatMap((tool) => (tool.kind === 'hosted' ? [tool.raw as JsonObject] : []));
  if (functions.length === 0) return { tools: hosted.length > 0 ? hosted : undefined };
  return {
    tools: [{ functionDeclarations }, ...hosted],
    toolConfig: toolChoice && { functionCallingConfig: encodeChoice(toolChoice) },
  };
}

function encodeFunction({ name, description, schema }: Tool, report: LossReport, full = true): JsonObject {
  if (full) return { name, description, parametersJsonSchema: schema };
  const drop = () => report({ field: 'tools[].parameters', how: 'replaced' });
  return { name, description, parameters: schema && toOpenApiSchema(schema, drop) };
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
