import type { GenerationRequest } from '@sluice/canonical';

/**
 * Whether the client enabled thinking. Other clients read `content[0].text`, so they receive neither thinking blocks
 * nor blocks that carry tokens.
 */
export function showsThinking({ reasoning }: Pick<GenerationRequest, 'reasoning'>): boolean {
  return reasoning?.enabled === true || reasoning?.adaptive === true;
}
