import type { GatewayError } from '@sluice/canonical';
import { z } from 'zod';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';

export const RerankErrorSchema = OpenAiErrorSchema.extend({ message: z.string() }).meta({ id: 'RerankError' });

/** Encodes an error as OpenAI does, with an additional top-level message for Cohere's clients (`@ai-sdk/cohere`). */
export function encodeRerankError(error: GatewayError): z.output<typeof RerankErrorSchema> {
  return { ...encodeOpenAiError(error), message: error.message };
}
