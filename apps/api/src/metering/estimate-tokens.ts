import type { ContentBlock, GenerationRequest } from '@sluice/canonical';
import type { CompleteText } from './request-outline.ts';

/** Average number of characters per token, across languages and code. Vendors' own counts differ by about a quarter. */
const CHARACTERS = 4;
const IMAGE_TOKENS = 1_000;
const FRAME_TOKENS = 4;

/** @param complete restores texts that were shortened */
export function estimateTokens(
  { messages, tools }: Pick<GenerationRequest, 'messages' | 'tools'>,
  complete: CompleteText = (text) => text,
): number {
  let tokens = 0;
  for (const { content } of messages) tokens += FRAME_TOKENS + contentTokens(content, complete);
  for (const { name, description = '', schema, raw } of tools) {
    const json = complete(JSON.stringify(schema ?? raw ?? ''), 'json');
    tokens += FRAME_TOKENS + estimateTextTokens(complete(name + description) + json);
  }
  return Math.max(1, tokens);
}

function contentTokens(blocks: readonly ContentBlock[], complete: CompleteText): number {
  let tokens = 0;
  for (const block of blocks) tokens += blockTokens(block, complete);
  return tokens;
}

function blockTokens(block: ContentBlock, complete: CompleteText): number {
  const textTokens = (text: string): number => estimateTextTokens(complete(text));
  switch (block.type) {
    case 'text':
    case 'refusal':
      return textTokens(block.text);
    case 'reasoning':
      return textTokens(block.text.join(''));
    case 'media':
      return block.source.from === 'text' ? textTokens(block.source.text) : IMAGE_TOKENS;
    case 'tool-call':
      return textTokens(block.name + block.arguments);
    case 'tool-result':
      return contentTokens(block.content, complete);
    case 'foreign':
      return estimateTextTokens(complete(JSON.stringify(block.raw), 'json'));
  }
}

/** Texts up to this length are searched by a loop, which starts faster than a regular expression. */
const SHORT = 32;
const FIRST_WIDE = 0x3000;

/** Estimates a text's tokens. Scripts without spaces use about one token per character. */
export function estimateTextTokens(text: string): number {
  const wideCharacters = isNarrow(text) ? 0 : countWide(text);
  return Math.ceil(wideCharacters + (text.length - wideCharacters) / CHARACTERS);
}

function isNarrow(text: string): boolean {
  if (text.length > SHORT) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= FIRST_WIDE) return false;
  return true;
}

function countWide(text: string): number {
  return text.match(/[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0;
}
