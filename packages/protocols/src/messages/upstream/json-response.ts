import type { GenerationRequest, LossReport } from '@sluice/canonical';
import { describedSchema } from '../../losses/described-schema.ts';
import { closedSchema } from '../../anthropic-style/closed-schema.ts';
import type { ModelTraits } from '../../anthropic-style/model-traits.ts';
import { objectSchema } from '../../anthropic-style/object-schema.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * The tool that represents a JSON schema for models without native schema support. Decoders read its input as the
 * response text. The name is reserved, so decoders need no state from the request.
 */
export const JSON_TOOL = 'sluice_json_answer';

export interface JsonResponse {
  /** The value of `output_config.format`. */
  format?: { type: 'json_schema'; schema: JsonObject };
  /** The forced {@link JSON_TOOL}. */
  tool?: { name: string; description: string; input_schema: JsonObject };
  /** Text to add to the instructions. */
  instruction?: string;
}

/** Requests the response format in the first way that the model supports: natively, as a tool, or as an instruction. */
export function encodeJsonResponse(request: GenerationRequest, traits: ModelTraits, report: LossReport): JsonResponse {
  const { format } = request;
  if (!format || format.type === 'text') return {};
  if (format.type === 'json') {
    report({ field: 'response_format', how: 'replaced' });
    return { instruction: 'Respond with a single JSON object and nothing else: no prose, no code fence.' };
  }
  if (traits.jsonSchema)
    return { format: { type: 'json_schema', schema: closedSchema(describedSchema(format, report)) } };
  if (forcesCall(request)) {
    // A forced tool replaces the response text. Forcing the JSON tool too would let the model choose between them.
    report({ field: 'response_format', how: 'dropped' });
    return {};
  }
  report({ field: 'response_format', how: 'replaced' });
  const schema = describedSchema(format, report);
  const isObject = schema['type'] === 'object';
  if (!isObject || request.tools.some(({ name }) => name === JSON_TOOL)) {
    return {
      instruction:
        'Respond with JSON that fits this schema and nothing else: no prose, no code fence.\n' + JSON.stringify(schema),
    };
  }
  return {
    tool: {
      name: JSON_TOOL,
      description: format.description ?? 'Gives the final answer. Its input is the whole answer.',
      input_schema: objectSchema(schema),
    },
  };
}

function forcesCall({ tools, toolChoice: choice }: GenerationRequest): boolean {
  if (tools.length === 0 || !choice) return false;
  return (
    choice.type === 'tool' || choice.type === 'required' || (choice.type === 'allowed' && choice.mode === 'required')
  );
}
