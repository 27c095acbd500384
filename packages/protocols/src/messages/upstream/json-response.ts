import type { GenerationRequest, LossReport } from '@sluice/canonical';
import { closedSchema } from './closed-schema.ts';
import type { ModelTraits } from '../wire/model-traits.ts';
import { objectSchema } from './object-schema.ts';
import type { JsonObject } from '../wire/record.ts';

/**
 * The name of the tool that stands for a schema on models that take none. It is reserved: what a model gives to this tool
 * is its answer, and the decoders read it as text, so that nothing needs to be remembered between request and answer.
 */
export const JSON_TOOL = 'sluice_json_answer';

/** How a wanted format is said. */
export interface JsonResponse {
  /** `output_config.format`. */
  format?: { type: 'json_schema'; schema: JsonObject };
  /** {@link JSON_TOOL}, to be forced. */
  tool?: { name: string; description: string; input_schema: JsonObject };
  /** Words for the instructions. */
  instruction?: string;
}

/** Says the wanted format the best way the model takes: natively, as a tool, or in words. */
export function encodeJsonResponse(request: GenerationRequest, traits: ModelTraits, report: LossReport): JsonResponse {
  const { format } = request;
  if (!format || format.type === 'text') return {};
  if (format.type === 'json') {
    report({ field: 'response_format', how: 'replaced' });
    return { instruction: 'Respond with a single JSON object and nothing else: no prose, no code fence.' };
  }
  if (traits.jsonSchema) return { format: { type: 'json_schema', schema: closedSchema(format.schema) } };
  report({ field: 'response_format', how: 'replaced' });
  const isObject = format.schema['type'] === 'object';
  if (!isObject || request.tools.some(({ name }) => name === JSON_TOOL)) {
    return {
      instruction:
        'Respond with JSON that fits this schema and nothing else: no prose, no code fence.\n' +
        JSON.stringify(format.schema),
    };
  }
  return {
    tool: {
      name: JSON_TOOL,
      description: format.description ?? 'Gives the final answer. Its input is the whole answer.',
      input_schema: objectSchema(format.schema),
    },
  };
}
