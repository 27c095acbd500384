/**
 * JSON for the scripts. An unpaired surrogate, which a vendor may send or a cut may leave, becomes U+FFFD: Redis' JSON
 * parser throws on it (`invalid unicode escape code`), so a script could never store it.
 */
export function redisJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one));
}
