import type { ContentBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encode, inputOf, message, call, result, user, image } from '../../../test/encoded-responses.ts';

describe('encodeItems', () => {
  it('omits ids that the gateway generated', () => {
    const input = inputOf([message('assistant', 'a', call('c1')), message('user', result('c1', 'r'), 'b')]);
    expect(input).toEqual([
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'r' },
      user('b'),
    ]);
  });

  it('writes valid call ids, the same on call and result', () => {
    const input = inputOf([
      message('assistant', call('functions.search:0')),
      message('user', result('functions.search:0', 'r')),
    ]);
    const [sentCall, sentResult] = input as { call_id: string }[];
    expect(sentCall?.call_id).toMatch(/^[\w-]{1,64}$/);
    expect(sentResult?.call_id).toBe(sentCall?.call_id);
  });

  it('writes an empty object for missing arguments, and a custom call as a custom call', () => {
    const custom: ContentBlock = { type: 'tool-call', callId: 'c2', name: 'exec', kind: 'custom', arguments: 'ls' };
    expect(
      inputOf([message('assistant', call('c1', ''), custom), message('user', result('c1', ''), result('c2', 'x'))]),
    ).toMatchObject([
      { type: 'function_call', arguments: '{}' },
      { type: 'custom_tool_call', input: 'ls' },
      { type: 'function_call_output', output: '' },
      { type: 'custom_tool_call_output', output: 'x' },
    ]);
  });

  it('preserves images inside results', () => {
    const block: ContentBlock = {
      type: 'tool-result',
      callId: 'c1',
      kind: 'function',
      content: [{ type: 'text', text: 'see' }, image],
    };
    expect(inputOf([message('assistant', call('c1')), message('user', block)])).toMatchObject([
      {},
      {
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
        ],
      },
    ]);
  });

  it('reports a tool’s failure as text', () => {
    expect(inputOf([message('assistant', call('c1')), message('user', result('c1', 'no', true))])).toMatchObject([
      {},
      { output: 'Error: no' },
    ]);
  });

  it('adds a missing result, and writes a result without a call as text', () => {
    expect(inputOf([message('assistant', call('c1')), message('user', result('c9', 'lost'))])).toEqual([
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '[no result]' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: '[Result of tool call c9]' },
          { type: 'input_text', text: 'lost' },
        ],
      },
    ]);
  });

  it('places reasoning of the same account before its call', () => {
    const opaqueToken = { protocol: 'responses' as const, account: 'acct', model: 'some-model', value: 'gAAAA' };
    const thought: ContentBlock = { type: 'reasoning', text: ['Hm'], isSummary: true, id: 'rs_1', opaqueToken };
    expect(inputOf([message('assistant', thought, call('c1')), message('user', result('c1', 'r'))])).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAAA' },
      { type: 'function_call' },
      { type: 'function_call_output' },
    ]);
  });

  it.each([
    ['missing', undefined],
    ['another account’s', { protocol: 'responses' as const, account: 'other', model: 'some-model', value: 'x' }],
    ['another vendor’s', { protocol: 'messages' as const, account: 'acct', model: 'some-model', value: 'x' }],
    ['its vendor’s, without an account', { protocol: 'responses' as const, value: 'x' }],
  ])('omits and reports %s reasoning', (_title, opaqueToken) => {
    const thought: ContentBlock = {
      type: 'reasoning',
      text: ['Hm'],
      isSummary: true,
      ...(opaqueToken && { opaqueToken }),
    };
    const { body, losses } = encode({ messages: [message('assistant', thought, 'a')] });
    expect(body.input).toHaveLength(1);
    expect(losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
  });

  it('drops empty texts next to others, and empty messages', () => {
    expect(inputOf([message('user', '', 'a'), message('assistant', ''), message('user', '')])).toEqual([
      user('a'),
      user(''),
    ]);
  });

  it('writes files, texts, and audio', () => {
    const [encoded] = inputOf([
      message(
        'user',
        { type: 'media', kind: 'document', source: { from: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } },
        { type: 'media', kind: 'document', source: { from: 'url', url: 'https://a.example/a.pdf' } },
        { type: 'media', kind: 'document', source: { from: 'text', text: 'T' }, name: 'n' },
        { type: 'media', kind: 'audio', source: { from: 'base64', mediaType: 'audio/mpeg', data: 'AAAA' } },
        { type: 'media', kind: 'image', source: { from: 'file', protocol: 'chat-completions', id: 'file_1' } },
      ),
    ]) as [{ content: unknown }];
    expect(encoded.content).toEqual([
      { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      { type: 'input_file', file_url: 'https://a.example/a.pdf' },
      { type: 'input_text', text: '<document title="n">\nT\n</document>' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'input_image', file_id: 'file_1', detail: 'auto' },
    ]);
  });

  it.each([
    ['video', { type: 'media', kind: 'video', source: { from: 'url', url: 'https://a.example/v' } }],
    ['audio', { type: 'media', kind: 'audio', source: { from: 'base64', mediaType: 'audio/flac', data: 'AAAA' } }],
    ['image', { type: 'media', kind: 'image', source: { from: 'file', protocol: 'messages', id: 'f' } }],
  ] satisfies [string, ContentBlock][])('rejects unsupported %s', (param, block) => {
    expect(() => inputOf([message('user', block)])).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param }),
    );
  });

  it('moves an assistant’s images to the user', () => {
    expect(inputOf([message('assistant', 'Here', image), message('user', 'Brighter!')])).toMatchObject([
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'input_image' }] },
      { role: 'user', content: [{ text: 'Brighter!' }] },
    ]);
  });

  it('restores foreign items of the same protocol and reports others', () => {
    const raw = { type: 'web_search_call', id: 'ws_1' };
    const hostedCall: ContentBlock = { type: 'foreign', protocol: 'responses', kind: 'web_search_call', raw };
    const { body, losses } = encode({
      messages: [message('assistant', hostedCall, { ...hostedCall, protocol: 'messages', kind: 'server_tool_use' })],
    });
    expect(body.input).toEqual([raw]);
    expect(losses).toEqual([{ field: 'server_tool_use', how: 'dropped' }]);
  });
});
