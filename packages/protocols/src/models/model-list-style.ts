/** The format of the model list. `default` is OpenAI's list, which clients of the messages protocol can also read. */
export type ModelListStyle = 'default' | 'messages' | 'generative';

type Values = Readonly<Record<string, unknown>>;

/**
 * Selects the style of `/v1/models`. A request with `x-api-key` and an Anthropic version gets `messages`. A request
 * that sends its key in a way that only Google's clients use gets `generative`. All others get `default`.
 * @param headers headers by lower-case name
 */
export function modelListStyle(headers: Values, query: Values): ModelListStyle {
  const has = (values: Values, ...names: string[]) => names.some((name) => values[name] !== undefined);
  if (has(headers, 'x-api-key') && has(headers, 'messages-version', 'anthropic-version')) return 'messages';
  if (has(headers, 'x-gen-api-key', 'x-goog-api-key') || has(query, 'key')) return 'generative';
  return 'default';
}
