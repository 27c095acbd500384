import type { ContentBlock, LossReport, Message, TextTarget } from '@sluice/canonical';
import { canReadToken } from '../text/token-codec.ts';

/** Returns all blocks, including those in tool results. */
export function blocksIn(messages: readonly Message[]): ContentBlock[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block): ContentBlock[] => (block.type === 'tool-result' ? [block, ...block.content] : [block])),
  );
}

/** Reports the opaque tokens of texts, media, and calls that the upstream cannot read. Reasoning is reported elsewhere. */
export function reportUnreadTokens(messages: readonly Message[], target: TextTarget, report: LossReport): void {
  const isLost = blocksIn(messages).some(
    (block) =>
      block.type !== 'reasoning' &&
      'opaqueToken' in block &&
      block.opaqueToken !== undefined &&
      !canReadToken(block.opaqueToken, target),
  );
  if (isLost) report({ field: 'reasoning', how: 'dropped' });
}
