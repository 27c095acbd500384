/** How models are listed: `default` is OpenAI's list, which messages clients can read too. */
export type ModelListStyle = 'default' | 'messages' | 'generative';

type Values = Readonly<Record<string, unknown>>;

/**
 * Selects the style of `/v1/models`: messages for `x-api-key` with a version of that protocol, generative for a key that
 * only its clients send so, otherwise the default.
 * @param headers by lower-case name
 */
export function modelListStyle(headers: Values, query: Values): ModelListStyle {
  const has = (values: Values, ...names: string[]) => names.some((name) => values[name] !== undefined);
  if (has(headers, 'x-api-key') && has(headers, 'messages-version', 'anthropic-version')) return 'messages';
  if (has(headers, 'x-gen-api-key', 'x-goog-api-key') || has(query, 'key')) return 'generative';
  return 'default';
}
