import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { KLING_CODES } from '../media/kling-codes.ts';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import type { ErrorSchema } from './schema.ts';

/** Encodes an error in Kling's envelope, with the gateway's code in an `error` object next to it. */
export function encodeError(error: GatewayError, requestId = ''): z.output<typeof ErrorSchema> {
  return {
    code: KLING_CODES[error.code],
    message: error.message,
    request_id: requestId,
    ...encodeOpenAiError(error),
  };
}
