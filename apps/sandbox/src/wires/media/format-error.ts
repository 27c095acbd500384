import { WireError } from '../../http/wire-error.ts';

/**
 * - `malformed`: not JSON, or too large. `refused`: invalid parameters.
 * - `moderation`: the prompt is blocked. `balance`: the account has no credit.
 * - `throttled`: request rate limit. `concurrency`: running-jobs limit.
 * - `unavailable`: maintenance. `broken`: internal error.
 * - `not_found`: no such job, or not yet. `unknown_call`: no such path.
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
 * Formats an error as the wire's vendor does.
 * @param detail of a malformed body, or the id or path that was not found.
 */
export type FormatError = (kind: MediaErrorKind, detail?: string) => WireError;

/**
 * Builds a {@link FormatError} from a table.
 * @param rows arguments of `create`, or an error of another shape.
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
