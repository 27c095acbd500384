import type { ContentBlock } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { appendBlock } from './append-block.ts';

const opaqueToken = { protocol: 'generative-content', value: 'AA==' } as const;

function joined(...blocks: ContentBlock[]): ContentBlock[] {
  const list: ContentBlock[] = [];
  for (const block of blocks) appendBlock(list, block);
  return list;
}

it('joins the parts of a streamed turn', () => {
  expect(
    joined(
      { type: 'reasoning', text: ['think'], isSummary: true },
      { type: 'reasoning', text: ['ing'], isSummary: true, opaqueToken },
      { type: 'text', text: 'he' },
      { type: 'text', text: 'llo' },
    ),
  ).toEqual([
    { type: 'reasoning', text: ['thinking'], isSummary: true, opaqueToken },
    { type: 'text', text: 'hello' },
  ]);
});

it('ends a block at its opaque token', () => {
  const blocks: ContentBlock[] = [
    { type: 'text', text: 'a', opaqueToken },
    { type: 'text', text: 'b' },
  ];
  expect(joined(...blocks)).toEqual(blocks);
});
