import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import type { ErrorSchema } from './schema.ts';

/** Encodes an error as OpenAI does, with additional top-level `code` and `message` fields for new-api clients. */
export function encodeError(error: GatewayError): z.output<typeof ErrorSchema> {
  return { code: error.code, message: error.message, ...encodeOpenAiError(error) };
}
