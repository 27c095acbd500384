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
      line: z.int().optional().meta({ description: 'The line of the input file of a batch that is invalid.' }),
    }),
  })
  .meta({ id: 'Error' });

export function encodeOpenAiError(error: GatewayError): z.output<typeof OpenAiErrorSchema> {
  const { message, param = null, code, line } = error;
  return { error: { message, type: errorType(error), param, code, ...(line !== undefined && { line }) } };
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
