import type { GatewayError } from '@sluice/canonical';
import { z } from 'zod';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';

/** Every error of rerank. */
export const RerankErrorSchema = OpenAiErrorSchema.extend({ message: z.string() }).meta({ id: 'RerankError' });

/** Spells an error as OpenAI does, and says its words where Cohere's clients look for them (`@ai-sdk/cohere`). */
export function encodeRerankError(error: GatewayError): z.output<typeof RerankErrorSchema> {
  return { ...encodeOpenAiError(error), message: error.message };
}
