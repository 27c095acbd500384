import type { ContentBlock, GenerationRequest } from '@sluice/canonical';

/** Average number of characters per token, across languages and code. Vendors' own counts differ by about a quarter. */
const CHARACTERS = 4;
const IMAGE_TOKENS = 1_000;
const FRAME_TOKENS = 4;

export function estimateTokens({ messages, tools }: Pick<GenerationRequest, 'messages' | 'tools'>): number {
  const messageTokens = messages.reduce((sum, { content }) => sum + FRAME_TOKENS + tokensOf(content), 0);
  const toolTokens = tools.reduce(
    (sum, { name, description, schema, raw }) =>
      sum + FRAME_TOKENS + estimateTextTokens(name + (description ?? '') + JSON.stringify(schema ?? raw ?? '')),
    0,
  );
  return Math.max(1, messageTokens + toolTokens);
}

function tokensOf(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + blockTokens(block), 0);
}

function blockTokens(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return estimateTextTokens(block.text);
    case 'reasoning':
      return estimateTextTokens(block.text.join(''));
    case 'media':
      return block.source.from === 'text' ? estimateTextTokens(block.source.text) : IMAGE_TOKENS;
    case 'tool-call':
      return estimateTextTokens(block.name + block.arguments);
    case 'tool-result':
      return tokensOf(block.content);
    case 'foreign':
      return estimateTextTokens(JSON.stringify(block.raw));
  }
}

/** Estimates a text's tokens. Scripts without spaces use about one token per character. */
export function estimateTextTokens(text: string): number {
  const wideCharacters = text.match(/[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0;
  return Math.ceil(wideCharacters + (text.length - wideCharacters) / CHARACTERS);
}
