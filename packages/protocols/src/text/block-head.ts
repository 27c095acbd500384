import type { BlockHead, ContentBlock } from '@sluice/canonical';

/** Returns a complete block's head, or undefined for a tool result, which responses never contain. */
export function blockHead(block: ContentBlock): BlockHead | undefined {
  switch (block.type) {
    case 'reasoning': {
      const { type, isSummary, redacted, id } = block;
      return { type, isSummary, redacted, id };
    }
    case 'tool-call': {
      const { type, callId, name, kind } = block;
      return { type, callId, name, kind };
    }
    case 'text':
    case 'refusal':
    case 'media':
    case 'foreign':
      return { type: block.type };
    case 'tool-result':
      return undefined;
  }
}
