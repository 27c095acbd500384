import { GatewayError } from '@sluice/canonical';

export function internalError(cause: unknown): GatewayError {
  const what = 'Internal error. Find its cause in the logs by the request id.';
  return new GatewayError('internal_error', what, { cause });
}
