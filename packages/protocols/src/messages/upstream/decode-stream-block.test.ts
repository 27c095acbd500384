import type { TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { openBlock } from './decode-stream-block.ts';

const target: TextTarget = { upstream: 'a', account: 'acc', protocol: 'messages', model: 'claude-x', quirks: {} };
const open = (block: Record<string, unknown>) => openBlock(block, { target, newId: (prefix) => `${prefix}1` });

describe('openBlock', () => {
  it('counts text in the block start', () => {
    const block = open({ type: 'text', text: 'Hel' });
    expect(block.begin).toHaveLength(2);
    block.delta({ type: 'text_delta', text: 'lo' });
    expect(block.close()).toEqual([{ type: 'block-end', choice: 0, block: { type: 'text', text: 'Hello' } }]);
  });

  it('keeps a signature without thinking', () => {
    const block = open({ type: 'thinking', thinking: '', signature: '' });
    expect(block.delta({ type: 'signature_delta', signature: 'sig' })).toEqual([]);
    expect(block.close()).toMatchObject([{ block: { text: [], opaqueToken: { value: 'sig' } } }]);
  });

  it('closes empty thinking', () => {
    expect(open({ type: 'thinking' }).close()).toEqual([
      { type: 'block-end', choice: 0, block: { type: 'reasoning', text: [], isSummary: false } },
    ]);
  });

  it("marks only the client's tools as calls to run", () => {
    expect(open({ type: 'tool_use', id: 't', name: 'run' }).isCall).toBe(true);
    expect(open({ type: 'tool_use', id: 't', name: 'sluice_json_answer' }).isCall).toBe(false);
    expect(open({ type: 'server_tool_use', id: 't', name: 'web_search' }).isCall).toBe(false);
  });

  it('keeps invalid input of a vendor call as text', () => {
    const block = open({ type: 'server_tool_use', name: 'x', input: {} });
    block.delta({ partial_json: '{"a' });
    expect(block.close()).toMatchObject([{ block: { raw: { input: '{"a' } } }]);
  });
});
