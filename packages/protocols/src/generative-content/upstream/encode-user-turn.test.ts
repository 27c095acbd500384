import type { ContentBlock, Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeUserTurn } from './encode-user-turn.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;
const calls = [
  { callId: 'c1', name: 'f' },
  { callId: 'c2', name: 'g' },
];
const result = (callId: string, text: string, more = {}): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
  ...more,
});
const encode = (blocks: ContentBlock[], on = {}, losses: Loss[] = []) =>
  encodeUserTurn(blocks, calls, { ...target, ...on }, (loss) => losses.push(loss));

describe('encodeUserTurn', () => {
  it('writes one response per call, in the order of the calls, before everything else', () => {
    expect(encode([{ type: 'text', text: 'and?' }, result('c2', 'B'), result('c1', 'A')])).toEqual([
      { functionResponse: { id: 'c1', name: 'f', response: { output: 'A' } } },
      { functionResponse: { id: 'c2', name: 'g', response: { output: 'B' } } },
      { text: 'and?' },
    ]);
  });

  it('writes an error for a call without a response, and an unmatched response as text', () => {
    expect(encode([result('c1', 'A'), result('x', 'X', { name: 'h' })])).toEqual([
      { functionResponse: { id: 'c1', name: 'f', response: { output: 'A' } } },
      { functionResponse: { id: 'c2', name: 'g', response: { error: 'No result.' } } },
      { text: 'Result of h:\nX' },
    ]);
  });

  it.each([
    ['{"t":1}', {}, { t: 1 }],
    ['[1]', {}, { output: '[1]' }],
    ['{broken', {}, { output: '{broken' }],
    ['{"t":1}', { isError: true }, { error: '{"t":1}' }],
    ['', {}, { output: '' }],
  ])('writes the function response %j as an object', (text, more, response) => {
    const [part] = encode([result('c1', text, more), result('c2', '')]);
    expect(part).toEqual({ functionResponse: { id: 'c1', name: 'f', response } });
  });

  it('joins the texts of a result without a separator', () => {
    const content = ['{"t', '":1}'].map((text) => ({ type: 'text', text }));
    const [part] = encode([result('c1', '', { content }), result('c2', '')]);
    expect(part).toEqual({ functionResponse: { id: 'c1', name: 'f', response: { t: 1 } } });
  });

  it('puts media into the function response for Gemini 3 and next to it for older models', () => {
    const image = { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'AAAA' } };
    const blocks = [result('c1', 'A', { content: [image] }), result('c2', 'B')];
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    expect(encode(blocks)[0]).toMatchObject({ functionResponse: { parts: [{ inlineData }] } });
    const older = encode(blocks, { model: 'gemini-2.5-flash' });
    expect(older[0]).toMatchObject({ functionResponse: { parts: undefined } });
    expect(older[2]).toEqual({ inlineData });
  });

  it('omits ids if the model rejects them, and makes other vendors’ ids safe', () => {
    expect(encode([], { quirks: { call_ids: false } })[0]).toMatchObject({ functionResponse: { id: undefined } });
    const [part] = encodeUserTurn([], [{ callId: 'functions.f:0', name: 'f' }], target, () => undefined);
    expect(part).toMatchObject({ functionResponse: { id: expect.stringMatching(/^[\w-]+$/) } });
  });

  it('writes Gemini-only parts back and reports parts of other vendors', () => {
    const losses: Loss[] = [];
    const raw = { codeExecutionResult: { outcome: 'OUTCOME_OK' } };
    const blocks: ContentBlock[] = [
      { type: 'foreign', protocol: 'generative-content', kind: 'codeExecutionResult', raw },
      { type: 'foreign', protocol: 'messages', kind: 'server_tool_use', raw: {} },
    ];
    expect(encodeUserTurn(blocks, [], target, (loss) => losses.push(loss))).toEqual([raw]);
    expect(losses).toEqual([{ field: 'server_tool_use', how: 'dropped' }]);
  });
});
