import { GatewayError, type GenerationRequest, type LossReport, type TextTarget, type Tool } from '@sluice/canonical';
import { saysSingleCall } from '../../text/single-call.ts';
import { customAsFunction } from '../../text/tool-arguments.ts';
import { toOpenApiSchema } from './to-openapi-schema.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Writes `tools` and `toolConfig`. Tools that another vendor runs are omitted and reported.
 * @throws GatewayError `unsupported_parameter` when the only tools, or the forced one, run at another vendor
 */
export function encodeTools(
  request: GenerationRequest,
  { quirks }: TextTarget,
  report: LossReport,
): { tools?: JsonObject[]; toolConfig?: JsonObject } {
  const { protocol, tools, toolChoice } = request;
  const isOwn = (tool: Tool) => tool.kind !== 'hosted' || protocol === 'generative-content';
  const lost = tools.filter((tool) => !isOwn(tool));
  const own = tools.filter(isOwn);
  if (lost.length > 0) {
    const forced = toolChoice?.type === 'tool' && lost.some((tool) => tool.name === toolChoice.name);
    if (forced || own.length === 0) refuse(lost, forced ? 'tool_choice' : 'tools');
    for (const tool of lost) report({ field: `tools[${tool.name}]`, how: 'dropped' });
  }
  if (own.length === 0) return {};
  if (saysSingleCall(request)) report({ field: 'parallel_tool_calls', how: 'dropped' });

  // The API cannot restrict tools in mode AUTO.
  const allowed = toolChoice?.type === 'allowed' && toolChoice.mode === 'auto' ? new Set(toolChoice.names) : undefined;
  const functions = own.filter((tool) => tool.kind !== 'hosted' && (allowed?.has(tool.name) ?? true));
  const functionDeclarations = functions.map((tool) => declaration(customAsFunction(tool), quirks.full_schema));
  const hosted = own.flatMap((tool) => (tool.kind === 'hosted' ? [tool.raw as JsonObject] : [])); // the decoder verified the object
  const written = [...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []), ...hosted];
  if (written.length === 0) return {};
  const config = toolChoice && functions.length > 0 ? encodeChoice(toolChoice) : undefined;
  return { tools: written, ...(config && { toolConfig: { functionCallingConfig: config } }) };
}

function declaration({ name, description, schema }: Tool, full = true): JsonObject {
  const parameters = schema && !full ? toOpenApiSchema(schema) : undefined;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(schema && full && { parametersJsonSchema: schema }),
    ...(parameters && { parameters }),
  };
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

function refuse(lost: readonly Tool[], param: string): never {
  const names = lost.map((tool) => tool.name).join(', ');
  throw new GatewayError(
    'unsupported_parameter',
    `${param} contains ${names}, which the vendor of this model does not provide.`,
    {
      param,
    },
  );
}
