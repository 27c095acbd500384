/** Incorrect usage; the message says why. */
export class UsageError extends Error {
  override name = 'UsageError';
}
