import type { FastifyRequest } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import { countInput } from '../../text/complete-request.ts';
import type { TextRequest } from '../../text/text-request.ts';
import type { TextFault } from '../../text/text-faults.ts';
import { WireError } from '../../http/wire-error.ts';

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

export function googleError(code: number, message: string, details: object[] = []) {
  const status = STATUS[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  return { error: { code, message, status, details: details.length > 0 ? details : undefined } };
}

/** Formats `{error: {code, message, status, details}}`. */
export function generativeError(code: number, message: string, details?: object[]): WireError {
  return new WireError(code, message, () => googleError(code, message, details));
}

export function invalidArgument(message: string, field?: string): WireError {
  if (field === undefined) return generativeError(400, message);
  const fieldViolations = [{ field, description: message }];
  return generativeError(400, message, [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }]);
}

export function invalidMessage(path: string, problem: string): WireError {
  return invalidArgument(`* ${path}: ${problem}\n`);
}

export function unknownName(name: string, path: string): WireError {
  const at = path === '' ? '' : ` at '${path}'`;
  return invalidArgument(`Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`, path);
}

export function unsupportedModalities(modalities: readonly string[], model: string, supported: string): WireError {
  const problem = `The requested combination of response modalities (${modalities.join(', ')}) is not supported by the model.`;
  const rule = `models/${model.replace(/^models\//, '')} accepts the following combinations of response modalities:`;
  return invalidArgument(`${problem} ${rule}\n* ${supported}\n`);
}

function invalidKey(): WireError {
  const info = {
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
    metadata: { service: 'generativelanguage.googleapis.com' },
  };
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...info }];
  return generativeError(400, 'API key not valid. Please pass a valid API key.', details);
}

export const THROTTLED = generativeError(
  429,
  'You exceeded your current quota, please check your plan and billing details. Please retry in 1s.',
  [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
);
export const OVERLOADED = generativeError(503, 'The model is overloaded. Please try again later.');
export const BROKEN = generativeError(
  500,
  'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
);

export function formatGoogleFault(fault: TextFault, request: TextRequest): WireError {
  if (fault === 'context') {
    const tokens = countInput(request).input + 1_048_576;
    return invalidArgument(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (1048576).`);
  }
  return { unauthorized: invalidKey(), throttled: THROTTLED, broken: BROKEN, overloaded: OVERLOADED }[fault];
}

/** @throws WireError 403 if the key is missing, 400 if it is invalid. */
export function checkGoogleKey({ headers, query }: FastifyRequest, apiKey: string): void {
  const key: unknown = headers['x-goog-api-key'] ?? Object(query).key;
  if (key === undefined) {
    const callers = 'unregistered callers (callers without established identity)';
    const hint = 'Please use API Key or other form of API consumer identity to call this API.';
    throw generativeError(403, `Method doesn't allow ${callers}. ${hint}`);
  }
  if (!isKey(key, apiKey)) throw invalidKey();
}
