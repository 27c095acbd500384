import { WireError } from '../../http/wire-error.ts';
import type { TextFault } from '../../text/text-faults.ts';

/** `{id, message}` */
export function cohereError(status: number, message: string, headers: Record<string, string> = {}): WireError {
  return new WireError(status, message, (id) => ({ id, message }), headers);
}

export function invalidRequest(message: string): WireError {
  return cohereError(400, `invalid request: ${message}`);
}

const FAULTS: Record<TextFault, WireError> = {
  unauthorized: cohereError(401, 'invalid api token'),
  throttled: cohereError(429, 'Please wait and try again later', { 'retry-after': '1' }),
  broken: cohereError(500, 'internal server error, this has been reported to our developers.'),
  overloaded: cohereError(503, 'service unavailable, please try again later'),
  context: cohereError(400, 'too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs.'),
};

export const formatCohereFault = (fault: TextFault): WireError => FAULTS[fault];
