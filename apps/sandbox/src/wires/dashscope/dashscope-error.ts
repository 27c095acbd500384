import { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import { errorTable } from '../media/format-error.ts';

/** Formats `{code, message, request_id}` (DashScope docs, "Status codes"). */
export function dashscopeError(status: number, code: string, message: string): WireError {
  return new WireError(status, message, (requestId) => ({ code, message, request_id: requestId }));
}

export function invalidParameter(message: string): WireError {
  return dashscopeError(400, 'InvalidParameter', message);
}

export const EMPTY_MODEL = dashscopeError(
  400,
  'BadRequest.EmptyModel',
  'Required parameter "model" missing from request.',
);

export function explainBody({ kind, field, message }: BodyError): WireError {
  switch (kind) {
    case 'missing':
      if (field === 'model') return EMPTY_MODEL;
      if (field === 'input') {
        return dashscopeError(400, 'BadRequest.EmptyInput', 'Required input parameter missing from request.');
      }
      return invalidParameter(`Required parameter "${field}" missing or invalid, please check the request parameters.`);
    case 'unknown':
      return invalidParameter(`Parameter "${field}" is not supported by this model.`);
    case 'invalid':
      return invalidParameter(`Parameter "${field}" is invalid: ${message}.`);
  }
}

export const formatDashscopeError = errorTable(dashscopeError, (detail) => ({
  malformed: invalidParameter(`Required body invalid, please check the request body format. ${detail}`.trim()),
  refused: invalidParameter('Required parameter(s) missing or invalid, please check the request parameters.'),
  moderation: [400, 'DataInspectionFailed', 'Input data may contain inappropriate content.'],
  // The vendor returns 400, although the account is the cause and not the request.
  balance: [400, 'Arrearage', 'Access denied, please make sure your account is in good standing.'],
  throttled: [429, 'Throttling.RateQuota', 'Requests rate limit exceeded, please try again later.'],
  concurrency: [429, 'Throttling', 'Requests throttling triggered.'],
  unavailable: [503, 'ModelUnavailable', 'Model is unavailable, please try again later.'],
  broken: [500, 'InternalError', 'An internal error has occured, please try again later or contact service support.'],
  // For an expired or unknown task, the vendor returns 200 with the status UNKNOWN (DashScope docs, task states).
  not_found: new WireError(200, 'unknown task', (requestId) => ({
    request_id: requestId,
    output: { task_id: detail, task_status: 'UNKNOWN' },
  })),
  unknown_call: [400, 'InvalidURL', `Invalid URL provided in your request: ${detail}`],
}));
