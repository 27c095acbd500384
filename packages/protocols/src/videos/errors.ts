import type { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import type { ErrorSchema } from './schema.ts';

/** Spells an error as `{"error": {message, type, param, code}}`, the one shape that published SDKs of this protocol read. */
export function encodeError(error: GatewayError): z.output<typeof ErrorSchema> {
  return {
    error: { message: error.message, type: errorType(error), param: error.param ?? null, code: error.code },
  };
}

function errorType({ status }: GatewayError): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 429:
      return 'rate_limit_error';
    default:
      if (status >= 500) return 'server_error';
      return 'invalid_request_error';
  }
}
