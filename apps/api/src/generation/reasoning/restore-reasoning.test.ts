import type { ContentBlock, GenerationRequest, ReasoningBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { deepFrozen } from '../../../test/deep-frozen.ts';
import type { RememberedCall } from './reasoning-memory.ts';
import { restoreReasoning } from './restore-reasoning.ts';

const TOKEN: OpaqueToken = { protocol: 'messages', account: 'a', model: 'claude-sonnet-4-5', value: 'sig' };
const THOUGHT: ReasoningBlock = { type: 'reasoning', text: ['let me look'], isSummary: false, opaqueToken: TOKEN };

function call(callId: string, opaqueToken?: OpaqueToken): ToolCallBlock {
  return {
    type: 'tool-call',
    callId,
    name: 'f',
    kind: 'function',
    arguments: '{}',
    ...(opaqueToken && { opaqueToken }),
  };
}

function request(...content: ContentBlock[]): GenerationRequest {
  return deepFrozen({
    protocol: 'chat-completions',
    model: 'm',
    stream: false,
    tools: [],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      { role: 'assistant', content },
      { role: 'user', content: [] },
    ],
  });
}

/** Restores from the given calls and returns the call ids that were looked up. */
async function restore(params: GenerationRequest, known: Record<string, RememberedCall>) {
  const recalledIds: string[] = [];
  const restored = await restoreReasoning(params, (callIds) => {
    recalledIds.push(...callIds);
    return Promise.resolve(new Map(Object.entries(known)));
  });
  return { restored, content: restored.messages[1]?.content, recalledIds };
}

const TEXT: ContentBlock = { type: 'text', text: 'I look.' };

describe('restoreReasoning', () => {
  it('inserts the reasoning once before the first call, whichever call is known', async () => {
    const params = request(TEXT, call('a'), call('b'));
    const { content, recalledIds } = await restore(params, { b: { reasoning: [THOUGHT] } });
    expect(content).toEqual([TEXT, THOUGHT, call('a'), call('b')]);
    expect(recalledIds).toEqual(['a', 'b']);
    const both = await restore(params, { a: { reasoning: [THOUGHT] }, b: { reasoning: [THOUGHT] } });
    expect(both.content).toEqual(content);
  });

  it('restores the opaque token of each call', async () => {
    const { content } = await restore(request(call('a'), call('b')), { a: { reasoning: [], opaqueToken: TOKEN } });
    expect(content).toEqual([call('a', TOKEN), call('b')]);
  });

  it('leaves turns with opaque tokens unchanged', async () => {
    for (const params of [request(THOUGHT, call('a')), request(call('a', TOKEN))]) {
      const { restored, recalledIds } = await restore(params, { a: { reasoning: [THOUGHT] } });
      expect(restored).toBe(params);
      expect(recalledIds).toEqual([]);
    }
  });

  it('replaces reasoning without its opaque token by the stored one', async () => {
    const bare: ReasoningBlock = { type: 'reasoning', text: ['let me look'], isSummary: false };
    const known = await restore(request(bare, call('a')), { a: { reasoning: [THOUGHT] } });
    expect(known.content).toEqual([THOUGHT, call('a')]);
    const unknown = await restore(request(bare, call('a')), { z: { reasoning: [THOUGHT] } });
    expect(unknown.content).toEqual([bare, call('a')]);
  });

  it('changes nothing if no turn has calls or nothing is known', async () => {
    const plain = request(TEXT);
    expect(await restore(plain, { a: { reasoning: [THOUGHT] } })).toMatchObject({ restored: plain, recalledIds: [] });
    const unknown = request(call('a'));
    expect((await restore(unknown, {})).restored).toBe(unknown);
  });
});
