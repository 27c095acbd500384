export type FilesStyle = 'default' | 'messages' | 'generative';

type Values = Readonly<Record<string, unknown>>;

/**
 * Selects the format of `/v1/files`. Every client of Anthropic sends a version, and clients of Google send their key in
 * their own way (@anthropic-ai/sdk 1.11, @google/genai 3.1). All others are OpenAI's.
 * @param headers headers by lower-case name
 */
export function filesStyle(headers: Values, query: Values): FilesStyle {
  const has = (values: Values, ...names: string[]) => names.some((name) => values[name] !== undefined);
  const beta = headers['anthropic-beta'];
  if (typeof beta === 'string' && beta.includes('files-api')) return 'messages';
  if (has(headers, 'messages-version', 'anthropic-version')) return 'messages';
  if (has(headers, 'x-gen-api-key', 'x-goog-api-key') || has(query, 'key')) return 'generative';
  return 'default';
}
