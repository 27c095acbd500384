import type { TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeResponseBlock } from './decode-response-block.ts';

const target: TextTarget = { upstream: 'a', account: 'acc', protocol: 'messages', model: 'claude-x', quirks: {} };
const decode = (block: Record<string, unknown>) =>
  decodeResponseBlock(block, { target, newId: (prefix) => `${prefix}1` });

describe('decodeResponseBlock', () => {
  it('marks thinking with its account and model', () => {
    expect(decode({ type: 'thinking', thinking: 'Hm', signature: 'sig' })).toEqual({
      type: 'reasoning',
      text: ['Hm'],
      isSummary: false,
      opaqueToken: { protocol: 'messages', account: 'acc', model: 'claude-x', value: 'sig' },
    });
    expect(decode({ type: 'thinking', thinking: '', signature: 'sig' })).toMatchObject({ text: [] });
    expect(decode({ type: 'redacted_thinking', data: 'x' })).toMatchObject({ redacted: true, text: [] });
  });

  it("reads calls, and the synthetic JSON tool's as text", () => {
    const call = { type: 'tool_use', id: 't', name: 'run', input: { a: 1 } };
    expect(decode(call)).toMatchObject({ type: 'tool-call', callId: 't', name: 'run', arguments: '{"a":1}' });
    expect(decode({ ...call, name: 'sluice_json_answer' })).toEqual({ type: 'text', text: '{"a":1}' });
    expect(decode({ type: 'tool_use', name: 'run' })).toMatchObject({ callId: 'toolu_1', arguments: '{}' });
  });

  it('keeps unknown blocks and drops empty ones', () => {
    const raw = { type: 'web_search_tool_result', content: [] };
    expect(decode(raw)).toEqual({ type: 'foreign', protocol: 'messages', kind: 'web_search_tool_result', raw });
    expect(decode({ type: 'text', text: '' })).toBeUndefined();
    expect(decode({ type: 'thinking', thinking: '' })).toBeUndefined();
  });
});
