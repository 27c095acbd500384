/**
 * JSON for the scripts. Half of a surrogate pair, as a vendor may send or a cut may leave it, becomes U+FFFD: Redis' own
 * reader throws at it (`invalid unicode escape code`), and a script would never get past it.
 */
export function redisJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one));
}
