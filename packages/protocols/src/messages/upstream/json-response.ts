import type { GenerationRequest, LossReport } from '@sluice/canonical';
import { closedSchema } from './closed-schema.ts';
import type { ModelTraits } from '../wire/model-traits.ts';
import { objectSchema } from './object-schema.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * The tool that represents a schema on models without native schemas. Decoders read its input as the response text. The
 * name is reserved, so no state is needed between request and response.
 */
export const JSON_TOOL = 'sluice_json_answer';

export interface JsonResponse {
  /** `output_config.format`. */
  format?: { type: 'json_schema'; schema: JsonObject };
  /** The forced {@link JSON_TOOL}. */
  tool?: { name: string; description: string; input_schema: JsonObject };
  /** Text for the instructions. */
  instruction?: string;
}

/** Requests the response format natively, as a tool, or as an instruction, whichever the model supports first. */
export function encodeJsonResponse(request: GenerationRequest, traits: ModelTraits, report: LossReport): JsonResponse {
  const { format } = request;
  if (!format || format.type === 'text') return {};
  if (format.type === 'json') {
    report({ field: 'response_format', how: 'replaced' });
    return { instruction: 'Respond with a single JSON object and nothing else: no prose, no code fence.' };
  }
  if (traits.jsonSchema) return { format: { type: 'json_schema', schema: closedSchema(format.schema) } };
  if (forcesCall(request)) {
    // The forced call replaces the response text; forcing both would let the model choose.
    report({ field: 'response_format', how: 'dropped' });
    return {};
  }
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

function forcesCall({ tools, toolChoice: choice }: GenerationRequest): boolean {
  if (tools.length === 0 || !choice) return false;
  return (
    choice.type === 'tool' || choice.type === 'required' || (choice.type === 'allowed' && choice.mode === 'required')
  );
}
