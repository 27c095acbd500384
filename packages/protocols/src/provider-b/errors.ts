import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import { VOLCENGINE_CODES } from './codes.ts';
import type { ErrorSchema } from './schema.ts';

/** An unknown model is 400, since `req_key` is an invalid field; an unknown task is no 404 here either. */
export function statusOfError({ code, status }: Pick<GatewayError, 'code' | 'status'>): number {
  return code === 'model_not_found' ? 400 : status;
}

/** Encodes an error in Volcengine's envelope, with the gateway's code in an `error` object next to it. */
export function encodeError(error: GatewayError, requestId = ''): z.output<typeof ErrorSchema> {
  const code = VOLCENGINE_CODES[error.code];
  return {
    code,
    message: error.message,
    request_id: requestId,
    status: code,
    // The duration is unknown here; zero as Go formats it.
    time_elapsed: '0s',
    data: null,
    ...encodeOpenAiError(error),
  };
}
