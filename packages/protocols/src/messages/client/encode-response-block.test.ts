import type { ContentBlock, GenerationRequest, Tool } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { encodeResponseBlock } from './encode-response-block.ts';

const tokenCodec = createTokenCodec('secret');

function encode(block: ContentBlock, tools: Tool[] = []) {
  const request: GenerationRequest = { protocol: 'messages', model: 'm', stream: false, messages: [], tools };
  return encodeResponseBlock(block, { request, body: {}, createdAt: 0, newId: (prefix) => prefix, tokenCodec });
}

const call = (args: string): ContentBlock => ({
  type: 'tool-call',
  callId: 'c',
  name: 'run',
  kind: 'function',
  arguments: args,
});

const media = (source: Extract<ContentBlock, { type: 'media' }>['source'], transcript?: string): ContentBlock => ({
  type: 'media',
  kind: 'image',
  source,
  ...(transcript !== undefined && { transcript }),
});

describe('encodeResponseBlock', () => {
  it('writes text and refusals as text', () => {
    expect(encode({ type: 'text', text: 'a' })).toEqual({ type: 'text', text: 'a', citations: null });
    expect(encode({ type: 'refusal', text: 'No.' })).toEqual({ type: 'text', text: 'No.', citations: null });
    expect(encode({ type: 'text', text: '' })).toBeUndefined();
  });

  it("writes a call with its input as an object, under the client's tool name", () => {
    const clientName = { name: 'run this, please' };
    expect(encode(call('{"a":1}'), [{ kind: 'function', name: 'run', clientName }])).toEqual({
      type: 'tool_use',
      id: 'c',
      name: 'run this, please',
      input: { a: 1 },
      caller: { type: 'direct' },
    });
    expect(encode(call(''))).toMatchObject({ input: {} });
    expect(encode(call('broken'))).toMatchObject({ input: { input: 'broken' } });
  });

  it('writes content without a block type as text', () => {
    expect(encode(media({ from: 'url', url: 'https://a/b' }))).toMatchObject({ text: '![image](https://a/b)' });
    expect(encode(media({ from: 'text', text: 'words' }))).toMatchObject({ text: 'words' });
    expect(encode(media({ from: 'base64', mediaType: 'image/png', data: 'x' }, 'spoken'))).toMatchObject({
      text: 'spoken',
    });
    expect(encode(media({ from: 'base64', mediaType: 'image/png', data: 'x' }))).toMatchObject({
      text: expect.stringContaining('cannot represent'),
    });
  });

  it('writes only foreign blocks of the same protocol', () => {
    const raw = { type: 'server_tool_use', id: 's' };
    expect(encode({ type: 'foreign', protocol: 'messages', kind: 'server_tool_use', raw })).toEqual(raw);
    expect(encode({ type: 'foreign', protocol: 'responses', kind: 'x', raw })).toBeUndefined();
    expect(encode({ type: 'tool-result', callId: 'c', kind: 'function', content: [] })).toBeUndefined();
  });
});
