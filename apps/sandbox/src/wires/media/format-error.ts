import { WireError } from '../../http/wire-error.ts';

/**
 * - `malformed`: the body is not JSON, or too large. `refused`: a parameter is invalid.
 * - `moderation`: the prompt is blocked. `balance`: the account has no credit.
 * - `throttled`: the request rate limit is exceeded. `concurrency`: the limit of running jobs is exceeded.
 * - `unavailable`: maintenance. `broken`: internal error.
 * - `not_found`: the job does not exist, or is not visible yet. `unknown_call`: the path does not exist.
 */
type MediaErrorKind =
  | 'malformed'
  | 'refused'
  | 'moderation'
  | 'balance'
  | 'throttled'
  | 'concurrency'
  | 'unavailable'
  | 'broken'
  | 'not_found'
  | 'unknown_call';

/**
 * Formats an error as the vendor does.
 * @param detail what is wrong with a malformed body, or the id or path that was not found.
 */
export type FormatError = (kind: MediaErrorKind, detail?: string) => WireError;

/**
 * Builds a {@link FormatError} from a table.
 * @param rows the arguments of `create`, or an error in another format.
 */
export function errorTable<Args extends readonly unknown[]>(
  create: (...args: Args) => WireError,
  rows: (detail: string) => Record<MediaErrorKind, Readonly<Args> | WireError>,
): FormatError {
  return (kind, detail = '') => {
    const row = rows(detail)[kind];
    return row instanceof WireError ? row : create(...row);
  };
}
