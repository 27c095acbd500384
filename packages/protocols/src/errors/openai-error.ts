import type { GatewayError } from '@sluice/canonical';
import { z } from 'zod';

export const OpenAiErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      // Some vendors send null, which is relayed.
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'Error' });

export function encodeOpenAiError(error: GatewayError): z.output<typeof OpenAiErrorSchema> {
  return {
    error: { message: error.message, type: errorType(error), param: error.param ?? null, code: error.code },
  };
}

function errorType({ code, status }: GatewayError): string {
  if (code === 'insufficient_quota') return code; // In OpenAI's API, this error has the same type and code.
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
