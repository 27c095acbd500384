import type { ContentBlock, Loss, MediaBlock, TextTarget } from '@sluice/canonical';
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { encodeBlock, canEncode } from './encode-block.ts';

const target: TextTarget = { upstream: 'a', account: 'acc', protocol: 'messages', model: 'claude-x', quirks: {} };
const PNG = 'iVBORw0KGgo=';

function encode(block: ContentBlock) {
  const losses: Loss[] = [];
  const report = (loss: Loss) => losses.push(loss);
  return { isEncodable: canEncode(block, target, report), wire: encodeBlock(block, target, report), losses };
}

const image = (source: MediaBlock['source']): MediaBlock => ({ type: 'media', kind: 'image', source });
const document = (source: MediaBlock['source'], name?: string): MediaBlock => ({
  type: 'media',
  kind: 'document',
  source,
  ...(name !== undefined && { name }),
});

describe('encodeBlock', () => {
  it.each<[ContentBlock, ContentBlockParam]>([
    [
      { type: 'text', text: 'a', cache: {} },
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
    ],
    [
      { type: 'refusal', text: 'No.' },
      { type: 'text', text: 'No.' },
    ],
    [
      { type: 'tool-call', callId: 'c1', name: 'run', kind: 'function', arguments: '{"a":1}' },
      { type: 'tool_use', id: 'c1', name: 'run', input: { a: 1 } },
    ],
    [
      { type: 'tool-call', callId: 'c1', name: 'run', kind: 'function', arguments: '' },
      { type: 'tool_use', id: 'c1', name: 'run', input: {} },
    ],
    [
      { type: 'tool-call', callId: 'c1', name: 'exec', kind: 'custom', arguments: 'ls' },
      { type: 'tool_use', id: 'c1', name: 'exec', input: { input: 'ls' } },
    ],
    [
      { type: 'tool-result', callId: 'c1', kind: 'function', content: [{ type: 'text', text: 'ok' }], isError: true },
      { type: 'tool_result', tool_use_id: 'c1', content: 'ok', is_error: true },
    ],
    [
      { type: 'tool-result', callId: 'c1', kind: 'function', content: [{ type: 'text', text: '' }] },
      { type: 'tool_result', tool_use_id: 'c1' },
    ],
    [
      image({ from: 'base64', mediaType: 'image/jpg', data: PNG }),
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: PNG } },
    ],
    [
      image({ from: 'base64', mediaType: 'application/octet-stream', data: PNG }),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    ],
    [
      image({ from: 'url', url: `data:image/png;base64,${PNG}` }),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    ],
    [image({ from: 'url', url: 'https://a/b' }), { type: 'image', source: { type: 'url', url: 'https://a/b' } }],
    [
      document({ from: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' }, 'T'),
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        title: 'T',
      },
    ],
    [
      document({ from: 'base64', mediaType: 'text/csv', data: 'YSxi' }),
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' } },
    ],
    [
      document({ from: 'text', text: 'a' }),
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } },
    ],
    [document({ from: 'url', url: 'https://a/b' }), { type: 'document', source: { type: 'url', url: 'https://a/b' } }],
  ])('writes %j', (block, expected) => {
    expect(encode(block)).toEqual({ isEncodable: true, wire: expected, losses: [] });
  });

  it('reports dropped image detail', () => {
    const shown = image({ from: 'base64', mediaType: 'image/png', data: PNG });
    expect(encode({ ...shown, detail: 'high' }).losses).toEqual([{ field: 'detail', how: 'dropped' }]);
    expect(encode({ ...shown, detail: 'auto' }).losses).toEqual([]);
    const content = [{ ...shown, detail: 'low' }];
    expect(encode({ type: 'tool-result', callId: 'c', kind: 'function', content }).losses).toHaveLength(1);
  });

  it('nests the images of a result, with one cache control', () => {
    const content: [ContentBlock & { type: 'text' }, MediaBlock] = [
      { type: 'text', text: 'see', cache: { ttl: '1h' } },
      image({ from: 'url', url: 'https://a/b' }),
    ];
    expect(encode({ type: 'tool-result', callId: 'c', kind: 'function', content }).wire).toEqual({
      type: 'tool_result',
      tool_use_id: 'c',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'url', url: 'https://a/b' } },
      ],
      cache_control: { type: 'ephemeral', ttl: '1h' },
    });
  });

  it('assigns the same safe id to call and result', () => {
    const callId = 'functions.search:0';
    const call = encode({ type: 'tool-call', callId, name: 'f', kind: 'function', arguments: '' }).wire;
    const result = encode({ type: 'tool-result', callId, kind: 'function', content: [] }).wire;
    expect(call['id']).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(result['tool_use_id']).toBe(call['id']);
  });

  it('keeps arguments that are not an object', () => {
    const { wire, losses } = encode({ type: 'tool-call', callId: 'c', name: 'f', kind: 'function', arguments: '{"a' });
    expect(wire['input']).toEqual({ input: '{"a' });
    expect(losses).toEqual([{ field: 'tool_calls.arguments', how: 'replaced' }]);
  });

  it('restores thinking of the same account unchanged', () => {
    const opaqueToken = { protocol: 'messages', account: 'acc', model: 'claude-y', value: 'sig' } as const;
    expect(encode({ type: 'reasoning', text: ['Hm'], isSummary: false, opaqueToken })).toEqual({
      isEncodable: true,
      wire: { type: 'thinking', thinking: 'Hm', signature: 'sig' },
      losses: [],
    });
  });

  it('writes foreign blocks of the same protocol unchanged', () => {
    const raw = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    expect(encode({ type: 'foreign', protocol: 'messages', kind: 'server_tool_use', raw }).wire).toEqual(raw);
  });

  it.each<[MediaBlock, string]>([
    [{ type: 'media', kind: 'audio', source: { from: 'base64', mediaType: 'audio/wav', data: 'AAAA' } }, 'audio'],
    [{ type: 'media', kind: 'video', source: { from: 'url', url: 'https://a' } }, 'video'],
    [image({ from: 'base64', mediaType: 'image/bmp', data: 'AAAA' }), 'image'],
    [image({ from: 'url', url: 'gs://a/b' }), 'image'],
    [image({ from: 'file', protocol: 'responses', id: 'f' }), 'image'],
    [document({ from: 'base64', mediaType: 'application/zip', data: 'AAAA' }), 'file'],
    [document({ from: 'file', protocol: 'responses', id: 'f' }), 'file'],
  ])('rejects %j', (block, param) => {
    expect(() => encode(block)).toThrow(expect.objectContaining({ code: 'unsupported_parameter', param, status: 400 }));
  });
});

describe('canEncode', () => {
  it.each<[ContentBlock, string | undefined]>([
    [{ type: 'text', text: '' }, undefined],
    [{ type: 'text', text: ' \n' }, undefined],
    [{ type: 'reasoning', text: ['A'], isSummary: false }, 'reasoning'],
    [
      {
        type: 'reasoning',
        text: ['A'],
        isSummary: false,
        opaqueToken: { protocol: 'responses', account: 'acc', value: 'x' },
      },
      'reasoning',
    ],
    [
      {
        type: 'reasoning',
        text: ['A'],
        isSummary: false,
        opaqueToken: { protocol: 'messages', account: 'other', value: 'x' },
      },
      'reasoning',
    ],
    [{ type: 'foreign', protocol: 'responses', kind: 'web_search_call', raw: {} }, 'web_search_call'],
  ])('omits %j and reports the loss', (block, field) => {
    const losses: Loss[] = [];
    expect(canEncode(block, target, (loss) => losses.push(loss))).toBe(false);
    expect(losses).toEqual(field === undefined ? [] : [{ field, how: 'dropped' }]);
  });
});
