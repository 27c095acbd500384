import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import { VOLCENGINE_CODES } from './codes.ts';
import type { ErrorSchema } from './schema.ts';

/**
 * An unknown model returns 400 instead of 404, because it means an invalid `req_key`. An unknown task does not return
 * 404 either.
 */
export function statusOfError({ code, status }: Pick<GatewayError, 'code' | 'status'>): number {
  return code === 'model_not_found' ? 400 : status;
}

/** Encodes an error in Volcengine's envelope, with an additional `error` object that contains the gateway's code. */
export function encodeError(error: GatewayError, requestId = ''): z.output<typeof ErrorSchema> {
  const code = VOLCENGINE_CODES[error.code];
  return {
    code,
    message: error.message,
    request_id: requestId,
    status: code,
    // The duration is unknown here. Zero is formatted as in Go.
    time_elapsed: '0s',
    data: null,
    ...encodeOpenAiError(error),
  };
}
