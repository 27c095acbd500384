/** Incorrect usage of a command. The message says why. */
export class UsageError extends Error {
  override name = 'UsageError';
}
