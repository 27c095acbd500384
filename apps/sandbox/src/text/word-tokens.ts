/** The most code points of one token, so that text without spaces has tokens too. */
const MAX_LENGTH = 16;
const TOKEN = new RegExp(String.raw`\s*\S{1,${MAX_LENGTH}}|\s+$`, 'gu');
const TOKENS_A_CHUNK = 3;

/** Splits text into tokens: a word each, with the space before it. Joined, they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** How many tokens a text has. */
export function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** Splits text into the pieces that it is streamed in, a few tokens each; no code point is torn apart. */
export function chunksOf(text: string): string[] {
  const tokens = tokensOf(text);
  const chunks: string[] = [];
  for (let at = 0; at < tokens.length; at += TOKENS_A_CHUNK) {
    chunks.push(tokens.slice(at, at + TOKENS_A_CHUNK).join(''));
  }
  return chunks;
}
