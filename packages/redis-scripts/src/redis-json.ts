/** JSON.stringify escapes only control characters and unpaired surrogates. */
const ESCAPED_SURROGATE = /\\ud[89a-f]/;

/**
 * Encodes JSON for the scripts. An unpaired surrogate becomes U+FFFD, because Redis' JSON parser rejects it (`invalid
 * unicode escape code`). Vendors may send one, and cutting a text may create one.
 */
export function redisJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!ESCAPED_SURROGATE.test(json)) return json;
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? item.toWellFormed() : item));
}
