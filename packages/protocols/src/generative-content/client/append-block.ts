import type { ContentBlock } from '@sluice/canonical';

/**
 * Joins adjacent texts or thoughts, because clients store a streamed response as one part per chunk. A block with an
 * opaque token is not extended.
 */
export function appendBlock(blocks: ContentBlock[], block: ContentBlock): void {
  const last = blocks.at(-1);
  if (last?.type === 'text' && block.type === 'text' && !last.opaqueToken) {
    blocks[blocks.length - 1] = { ...block, text: last.text + block.text };
  } else if (last?.type === 'reasoning' && block.type === 'reasoning' && !last.opaqueToken && !block.redacted) {
    const text = last.text.join('') + block.text.join('');
    blocks[blocks.length - 1] = { ...block, text: text === '' ? [] : [text] };
  } else {
    blocks.push(block);
  }
}
