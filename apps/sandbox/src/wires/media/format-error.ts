import type { WireError } from '../../http/wire-error.ts';

/**
 * Why a call gets no answer of the usual kind. Each wire spells these in its vendor's words, codes and statuses.
 *
 * - `malformed`: the body is no JSON, or too large.
 * - `refused`: invalid parameters. `moderation`: the audit of the prompt. `balance`: no money in the account.
 * - `throttled`: too many requests. `concurrency`: too many jobs at a time.
 * - `unavailable`: down for maintenance. `broken`: an internal error.
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
 * How a wire spells a fault.
 * @param detail what more is known, in the sandbox's words: of a `malformed` body; the id or path of what is not found.
 */
export type FormatError = (fault: MediaErrorKind, detail?: string) => WireError;
