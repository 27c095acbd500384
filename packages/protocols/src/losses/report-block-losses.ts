import type { CacheBreakpoint, ContentBlock, LossReport, Message, TextTarget } from '@sluice/canonical';
import { canReadToken } from '../text/token-codec.ts';

/** Whether any block passes the test, including those in tool results. */
export function someBlock(messages: readonly Message[], test: (block: ContentBlock) => boolean): boolean {
  for (const { content } of messages) {
    for (const block of content) {
      if (test(block) || (block.type === 'tool-result' && block.content.some(test))) return true;
    }
  }
  return false;
}

/** Whether a block has a cache mark that passes the test. */
export function someMark(messages: readonly Message[], test: (mark: CacheBreakpoint) => boolean): boolean {
  return someBlock(messages, (block) => 'cache' in block && block.cache !== undefined && test(block.cache));
}

/** Reports the opaque tokens of texts, media, and calls that the upstream cannot read. Reasoning is reported elsewhere. */
export function reportUnreadTokens(messages: readonly Message[], target: TextTarget, report: LossReport): void {
  const isLost = someBlock(
    messages,
    (block) =>
      (block.type === 'text' || block.type === 'media' || block.type === 'tool-call') &&
      block.opaqueToken !== undefined &&
      !canReadToken(block.opaqueToken, target),
  );
  if (isLost) report({ field: 'reasoning', how: 'dropped' });
}
