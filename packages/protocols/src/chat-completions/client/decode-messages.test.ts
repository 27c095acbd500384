import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeMessages } from './decode-messages.ts';

const tokenCodec = createTokenCodec('secret');
const decode = (...items: unknown[]) => decodeMessages(items, tokenCodec);
const text = (value: string) => ({ type: 'text', text: value });
const PNG = 'iVBORw0KGgo=';

const wireCall = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });

describe('decodeMessages', () => {
  it('preserves the order of all messages, including instructions', () => {
    expect(
      decode(
        { role: 'system', content: 'a' },
        { role: 'user', content: [text('b'), text('')], name: 'ann' },
        { role: 'developer', content: [text('c')] },
      ),
    ).toEqual([
      { role: 'system', content: [text('a')] },
      { role: 'user', content: [text('b')], name: 'ann' },
      { role: 'developer', content: [text('c')] },
    ]);
  });

  it('reads images, audio, files, and videos, inline and by URL', () => {
    const [message] = decode({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'JVBERi0x' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'video_url', video_url: { url: 'https://x.test/a.mp4' } },
        { type: 'hologram', data: 1 },
      ],
    });
    expect(message?.content).toEqual([
      { type: 'media', kind: 'image', detail: 'low', source: { from: 'base64', mediaType: 'image/png', data: PNG } },
      { type: 'media', kind: 'image', source: { from: 'url', url: 'https://x.test/a.png' } },
      { type: 'media', kind: 'audio', source: { from: 'base64', mediaType: 'audio/mpeg', data: 'AAAA' } },
      {
        type: 'media',
        kind: 'document',
        name: 'a.pdf',
        source: { from: 'base64', mediaType: 'application/pdf', data: 'JVBERi0x' },
      },
      { type: 'media', kind: 'document', source: { from: 'file', protocol: 'chat-completions', id: 'file-1' } },
      { type: 'media', kind: 'video', source: { from: 'url', url: 'https://x.test/a.mp4' } },
      { type: 'foreign', protocol: 'chat-completions', kind: 'hologram', raw: { type: 'hologram', data: 1 } },
    ]);
  });

  it('merges consecutive results into one turn and matches each with its call', () => {
    const [, results, after] = decode(
      {
        role: 'assistant',
        content: '',
        tool_calls: [wireCall('a', 'f'), { id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } }],
      },
      { role: 'tool', tool_call_id: 'b', content: [text('two')] },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'user', content: 'and also' },
    );
    expect(results).toEqual({
      role: 'user',
      content: [
        { type: 'tool-result', callId: 'b', name: 'g', kind: 'custom', content: [text('two')] },
        { type: 'tool-result', callId: 'a', name: 'f', kind: 'function', content: [text('one')] },
      ],
    });
    expect(after).toEqual({ role: 'user', content: [text('and also')] });
  });

  it('matches function_call and the function message by name', () => {
    const [call, result] = decode(
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      { role: 'function', name: 'f', content: 'ok' },
    );
    const [block] = call?.content ?? [];
    expect(block).toMatchObject({ type: 'tool-call', name: 'f', arguments: '{"a":1}' });
    expect(result?.content[0]).toMatchObject({
      type: 'tool-result',
      callId: block?.type === 'tool-call' ? block.callId : '',
      name: 'f',
    });
  });

  it.each([
    [{ role: 'robot', content: 'x' }, 'messages[0][role]'],
    ['x', 'messages[0]'],
    [{ role: 'user', content: 3 }, 'messages[0][content]'],
    [{ role: 'user', content: [text('a'), { type: 'image_url' }] }, 'messages[0][content][1][image_url]'],
    [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://x' } }] },
      'messages[0][content][0][image_url][url]',
    ],
    [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,?' } }] },
      'messages[0][content][0][image_url][url]',
    ],
    [
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 1 } }] },
      'messages[0][content][0][input_audio][format]',
    ],
    [{ role: 'user', content: [{ type: 'file', file: {} }] }, 'messages[0][content][0][file]'],
    [{ role: 'user', content: [{ type: 'text' }] }, 'messages[0][content][0][text]'],
    [{ role: 'system', content: [{ type: 'image_url', image_url: 'https://x.test' }] }, 'messages[0][content][0]'],
    [{ role: 'tool', content: 'x' }, 'messages[0][tool_call_id]'],
    [{ role: 'function', name: 'f', content: 'x' }, 'messages[0][name]'],
    [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function' }] }, 'messages[0][tool_calls][0][function]'],
    [{ role: 'assistant', tool_calls: {} }, 'messages[0][tool_calls]'],
  ])('rejects %j naming %s', (item, param) => {
    expect(() => decode(item)).toThrow(expect.objectContaining({ param, code: 'invalid_request' }));
  });
});
