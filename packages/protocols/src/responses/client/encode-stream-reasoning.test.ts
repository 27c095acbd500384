import type { ContentBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import type { JsonObject } from '../../json/values.ts';
import {
  tokenCodec,
  contextOf,
  eventsOf,
  encode,
  framesOf,
  readBySdk,
} from '../../../test/streams/encoded-responses-stream.ts';

describe('reasoning in a stream', () => {
  const opaqueToken = { protocol: 'messages' as const, account: 'acct', model: 'claude', value: 'c2ln' };
  const withToken: ContentBlock = { type: 'reasoning', text: ['Hm.'], isSummary: false, opaqueToken };
  const itemOf = (context: ResponseContext, block: ContentBlock = withToken): JsonObject | undefined => {
    const frames = framesOf(encode(eventsOf([block]), context));
    // The cast is safe because the event contains an item.
    return frames.find(({ type }) => type === 'response.output_item.done')?.['item'] as JsonObject | undefined;
  };

  it('is a summary if requested, with the wrapped opaque token', () => {
    const item = itemOf(contextOf({}, { reasoning: { visible: 'summary' } }));
    expect(item).toMatchObject({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] });
    expect(item?.['id']).toMatch(/^rs_/);
    expect(tokenCodec.unwrap(String(item?.['encrypted_content']))).toEqual(opaqueToken);
  });

  it('is full text without a requested summary', () => {
    const frames = framesOf(encode(eventsOf([withToken])));
    expect(frames.filter(({ type }) => type === 'response.reasoning_text.delta')).toHaveLength(1);
    expect(itemOf(contextOf())).toMatchObject({ summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] });
  });

  it('is hidden if requested, except for its opaque token', () => {
    const item = itemOf(contextOf({}, { reasoning: { visible: 'none' } }));
    expect(item).toMatchObject({ summary: [], encrypted_content: expect.any(String) });
    expect(item).not.toHaveProperty('content');
  });

  it('writes no item without text and opaque token', () => {
    expect(itemOf(contextOf(), { type: 'reasoning', text: [], isSummary: true })).toBeUndefined();
  });

  it.each([undefined, 'summary', 'none'] as const)(
    'is readable by the published client with visible set to %s',
    async (visible) => {
      const reasoning = visible ? { visible } : {};
      const { final } = await readBySdk(
        encode(eventsOf([withToken, { type: 'text', text: 'Hi' }]), contextOf({}, { reasoning })),
      );
      expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    },
  );
});
