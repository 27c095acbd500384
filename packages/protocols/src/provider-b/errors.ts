import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import { VOLCENGINE_CODES } from './codes.ts';
import type { ErrorSchema } from './schema.ts';

/** 400 for a `req_key` that names no model: a field that is wrong, and an unknown task is no 404 here either. */
export function statusOfError({ code, status }: Pick<GatewayError, 'code' | 'status'>): number {
  return code === 'model_not_found' ? 400 : status;
}

/** Spells an error in Volcengine's envelope, with our own code in an `error` object beside it. */
export function encodeError(error: GatewayError, requestId = ''): z.output<typeof ErrorSchema> {
  const code = VOLCENGINE_CODES[error.code];
  return {
    code,
    message: error.message,
    request_id: requestId,
    status: code,
    // How long it took is not known where errors are spelled; zero as Go writes it.
    time_elapsed: '0s',
    data: null,
    ...encodeOpenAiError(error),
  };
}
