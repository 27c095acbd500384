import { WireError } from '../../http/wire-error.ts';

/** Formats an error of the token endpoint. Clients are refused with 401. */
export function entraError(error: string, code: string, text: string): WireError {
  const status = error === 'invalid_client' ? 401 : error === 'temporarily_unavailable' ? 503 : 400;
  const number = Number(code.replace(/\D/g, ''));
  return new WireError(status, text, (id) => ({
    error,
    error_description: `${code}: ${text} Trace ID: ${id}`,
    error_codes: [number],
    trace_id: id,
  }));
}
