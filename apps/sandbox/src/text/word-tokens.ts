/** Maximum code points per token, so that text without spaces is also split into tokens. */
const MAX_LENGTH = 16;
const TOKEN = new RegExp(String.raw`\s*\S{1,${MAX_LENGTH}}|\s+$`, 'gu');
const TOKENS_A_CHUNK = 3;

/** Splits text into tokens. Each token is a word with the space before it. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function countTokens(text: string): number {
  return tokensOf(text).length;
}

export function chunksOf(text: string): string[] {
  const tokens = tokensOf(text);
  const chunks: string[] = [];
  for (let at = 0; at < tokens.length; at += TOKENS_A_CHUNK) {
    chunks.push(tokens.slice(at, at + TOKENS_A_CHUNK).join(''));
  }
  return chunks;
}
