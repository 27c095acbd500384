import { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import { errorTable } from '../media/format-error.ts';

/** Source: ModelArk docs, "Error codes". */
const TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalServerError',
};

/** Formats `{error: {code, message, param, type}}`. The message ends with the request id. */
export function arkError(status: number, code: string, message: string, param = ''): WireError {
  return new WireError(status, message, (requestId) => ({
    error: { code, message: `${message} Request id: ${requestId}`, param, type: TYPES[status] ?? '' },
  }));
}

export function invalidParameter(param: string, problem: string): WireError {
  const message = `The parameter \`${param}\` specified in the request is not valid: ${problem}.`;
  return arkError(400, 'InvalidParameter', message, param);
}

export function explainBody({ kind, field, message }: BodyError): WireError {
  if (kind === 'missing') {
    const missing = `The request failed because it is missing \`${field}\` parameter.`;
    return arkError(400, 'MissingParameter', missing, field);
  }
  return invalidParameter(field, kind === 'unknown' ? 'it is not supported by the model' : message);
}

export const formatArkError = errorTable(arkError, (detail) => ({
  malformed: [400, 'InvalidParameter', `The request body is not valid: ${detail}.`],
  refused: [400, 'InvalidParameter', 'One or more parameters specified in the request are not valid.'],
  moderation: [
    400,
    'InputTextSensitiveContentDetected',
    'The request failed because the input text may contain sensitive information.',
  ],
  balance: [403, 'AccountOverdueError', 'The request failed because your account has an overdue balance.'],
  throttled: [
    429,
    'RateLimitExceeded.EndpointRPMExceeded',
    'The Requests Per Minute (RPM) limit of the associated endpoint for your account has been exceeded.',
  ],
  concurrency: [429, 'QuotaExceeded', 'The number of queued tasks of your account has reached its limit.'],
  // The vendor uses status 429 for overload too, even if the request rate is below the limit.
  unavailable: [
    429,
    'ServerOverloaded',
    'The service is currently unable to handle additional requests due to server overload.',
  ],
  broken: [500, 'InternalServiceError', 'The service encountered an unexpected internal error.'],
  not_found: [404, 'ResourceNotFound', `The specified resource ${detail} is not found.`],
  unknown_call: [404, 'NotFound', `The requested path is not found: ${detail}.`],
}));
