import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { KLING_CODES } from '../media/kling-codes.ts';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import type { ErrorSchema } from './schema.ts';

/** Encodes an error in Kling's envelope, with an additional `error` object that contains the gateway's code. */
export function encodeError(error: GatewayError, requestId = ''): z.output<typeof ErrorSchema> {
  return {
    code: KLING_CODES[error.code],
    message: error.message,
    request_id: requestId,
    ...encodeOpenAiError(error),
  };
}
