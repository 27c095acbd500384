import type { ContentBlock, GatewayError, Loss, Message, TextQuirks, TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeMessages } from './encode-messages.ts';
import { modelTraits } from './model-traits.ts';

const PNG = 'iVBORw0KGgo=';
const text = (value: string) => ({ type: 'text', text: value }) as const;
const image = {
  type: 'media',
  kind: 'image',
  source: { from: 'base64', mediaType: 'image/png', data: PNG },
} as const;
const imageUrl = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
const call = (callId: string) => ({ type: 'tool-call', callId, name: 'f', kind: 'function', arguments: '{}' }) as const;
const wireCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const result = (callId: string, ...content: (typeof image | ReturnType<typeof text>)[]) =>
  ({ type: 'tool-result', callId, kind: 'function', content }) as const;
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });

function encode(messages: Message[], { model = 'm', quirks = {} }: { model?: string; quirks?: TextQuirks } = {}) {
  const losses: Loss[] = [];
  const target: TextTarget = { upstream: 'u', account: 'acc', protocol: 'chat-completions', model, quirks };
  const report = (loss: Loss) => losses.push(loss);
  const written = encodeMessages(messages, [], { target, traits: modelTraits(target), report });
  return { written, losses };
}

const media = (kind: 'audio' | 'document' | 'video', source: object) =>
  ({ type: 'media', kind, source }) as ContentBlock; // The cast is safe because the arguments form a valid block.

describe('encodeMessages', () => {
  it('joins the leading instructions into one message and preserves the position of later ones', () => {
    const { written } = encode([
      { role: 'system', content: [text('a'), text('b')] },
      { role: 'developer', content: [text('c')] },
      user(text('hi')),
      { role: 'developer', content: [text('d')] },
      user(text('ho')),
    ]);
    expect(written).toEqual([
      { role: 'system', content: 'ab\n\nc' },
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'd' },
      { role: 'user', content: 'ho' },
    ]);
  });

  it('does not change texts that continue in the next block', () => {
    const messages: Message[] = [
      { role: 'system', content: [text('Be br'), text('ief.')] },
      user(text('Summ'), text('arise')),
      assistant(call('1')),
      user(result('1', text('tem'), text('perature'))),
    ];
    expect(encode(messages).written.map(({ content }) => content)).toEqual([
      'Be brief.',
      'Summarise',
      null,
      'temperature',
    ]);
    expect(encode(messages, { model: 'gpt-4.1' }).written.map(({ content }) => content)).toEqual([
      [text('Be br'), text('ief.')],
      [text('Summ'), text('arise')],
      null,
      [text('tem'), text('perature')],
    ]);
  });

  it('places documents and notes on separate lines between texts', () => {
    const document = media('document', { from: 'text', text: 'd' });
    const { written } = encode([
      user(text('a'), document, text('b')),
      assistant(call('1')),
      user(result('1', text('a'), image, text('b'))),
    ]);
    expect(written.map(({ content }) => content)).toEqual([
      'a\n<document>\nd\n</document>\nb',
      null,
      'a\n[image attached below]\nb',
      [imageUrl],
    ]);
  });

  it('merges consecutive assistant turns into one message with content and calls', () => {
    const { written } = encode([
      user(text('q')),
      assistant(text('a')),
      assistant(call('1')),
      assistant(call('2')),
      user(result('1', text('x')), result('2', text('y'))),
    ]);
    expect(written.slice(1)).toEqual([
      { role: 'assistant', content: 'a', tool_calls: [wireCall('1'), wireCall('2')] },
      { role: 'tool', tool_call_id: '1', content: 'x' },
      { role: 'tool', tool_call_id: '2', content: 'y' },
    ]);
  });

  it('places images after all tool messages instead of between them', () => {
    const { written } = encode([
      assistant(call('a'), call('b')),
      user(result('a', text('see'), image), result('b', text('y')), text('and also')),
    ]);
    expect(written.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
    expect(written[1]?.['content']).toBe('see\n[image attached below]');
    expect(written[3]?.['content']).toEqual([imageUrl, text('and also')]);
  });

  it('sorts results in the order of the calls', () => {
    const { written } = encode([
      assistant(call('01'), call('02')),
      user(result('02', text('two'))),
      user(result('01', text('one'))),
    ]);
    expect(written.map((message) => message['tool_call_id'])).toEqual([undefined, '01', '02']);
  });

  it('adds a placeholder for a missing result, and writes a result without a call as text', () => {
    const { written } = encode([
      assistant(call('a')),
      user(result('gone', text('old')), text('go on')),
      assistant(call('z')),
    ]);
    expect(written).toEqual([
      { role: 'assistant', content: null, tool_calls: [wireCall('a')] },
      { role: 'tool', tool_call_id: 'a', content: '[no result]' },
      { role: 'user', content: '[Result of tool call gone]\nold\ngo on' },
      { role: 'assistant', content: null, tool_calls: [wireCall('z')] },
      { role: 'tool', tool_call_id: 'z', content: '[no result]' },
    ]);
  });

  it('moves instructions between a call and its result behind the result', () => {
    const { written } = encode([
      assistant(call('a')),
      { role: 'developer', content: [text('be quick')] },
      user(result('a', text('x'))),
    ]);
    expect(written.map(({ role }) => role)).toEqual(['assistant', 'tool', 'system']);
  });

  it('marks an error result, and writes the same safe id for call and result', () => {
    const { written } = encode([
      assistant(call('functions.search:0')),
      user({ ...result('functions.search:0', text('boom')), isError: true }),
    ]);
    const calls = written[0]?.['tool_calls'];
    const id: unknown = Array.isArray(calls) ? Reflect.get(Object(calls[0]), 'id') : undefined;
    expect(id).toMatch(/^[\w-]{1,64}$/);
    expect(written[1]).toEqual({ role: 'tool', tool_call_id: id, content: 'Error: boom' });
  });

  it('writes custom calls as functions with one text, and empty arguments as an empty object', () => {
    const { written } = encode([
      assistant(
        { type: 'tool-call', callId: 'a', name: 'exec', kind: 'custom', arguments: 'ls' },
        { ...call('b'), arguments: '' },
      ),
    ]);
    expect(written[0]?.['tool_calls']).toEqual([
      { id: 'a', type: 'function', function: { name: 'exec', arguments: '{"input":"ls"}' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
    ]);
  });

  it('sends reasoning back only to models that accept it', () => {
    const turn = assistant({ type: 'reasoning', text: ['a', 'b'], isSummary: false }, text('c'));
    expect(encode([turn])).toEqual({
      written: [{ role: 'assistant', content: 'c' }],
      losses: [{ field: 'reasoning', how: 'dropped' }],
    });
    expect(encode([turn], { quirks: { reasoning_content: true } })).toEqual({
      written: [{ role: 'assistant', content: 'c', reasoning_content: 'a\n\nb' }],
      losses: [],
    });
  });

  it('sends an opaque token back only to its own account', () => {
    const opaqueToken = { protocol: 'chat-completions', account: 'acc', model: 'm', value: 'v' } as const;
    const ofCall = (account: string) =>
      encode([assistant({ ...call('a'), opaqueToken: { ...opaqueToken, account } })]).written[0]?.['tool_calls'];
    expect(ofCall('acc')).toEqual([{ ...wireCall('a'), extra_content: { google: { thought_signature: 'v' } } }]);
    expect(ofCall('other')).toEqual([wireCall('a')]);
  });

  it('omits an assistant message that cannot be encoded and keeps an empty one', () => {
    const reasoningOnly = assistant({ type: 'reasoning', text: ['a'], isSummary: false });
    expect(encode([user(text('q')), reasoningOnly, user(text('r'))]).written).toHaveLength(2);
    expect(encode([user(text('q')), assistant(text(''))]).written[1]).toEqual({ role: 'assistant', content: '' });
  });

  it('keeps an empty user message between two assistant messages and omits empty instructions', () => {
    const empty = { role: 'system', content: [text('')] } as const;
    const { written } = encode([
      user(text('q')),
      assistant(text('a')),
      user(text('')),
      assistant(text('b')),
      { ...empty, content: [...empty.content] },
      assistant(text('c')),
    ]);
    expect(written.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'q'],
      ['assistant', 'a'],
      ['user', ''],
      ['assistant', 'bc'],
    ]);
  });

  it('moves images of the assistant to a user message and reports it', () => {
    const { written, losses } = encode([assistant(text('here'), image), user(text('nice'))]);
    expect(written).toEqual([
      { role: 'assistant', content: 'here' },
      { role: 'user', content: [imageUrl, text('nice')] },
    ]);
    expect(losses).toEqual([{ field: 'image', how: 'replaced' }]);
  });

  it('writes documents, audio, and videos, and rejects unsupported media', () => {
    const { written } = encode([
      user(
        media('document', { from: 'base64', mediaType: 'application/pdf', data: 'JVBE' }),
        media('document', { from: 'base64', mediaType: 'text/plain', data: Buffer.from('é').toString('base64') }),
        media('document', { from: 'text', text: 't' }),
        media('audio', { from: 'base64', mediaType: 'audio/mpeg', data: 'AA' }),
        media('video', { from: 'url', url: 'https://x.test/v' }),
        media('document', { from: 'file', protocol: 'chat-completions', id: 'file-1' }),
      ),
    ]);
    expect(written[0]?.['content']).toEqual([
      { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      { type: 'text', text: '<document>\né\n</document>\n' },
      { type: 'text', text: '<document>\nt\n</document>\n' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
      { type: 'video_url', video_url: { url: 'https://x.test/v' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ]);
    for (const unsupported of [
      media('document', { from: 'url', url: 'https://x.test/a.pdf' }),
      media('audio', { from: 'url', url: 'https://x.test/a.wav' }),
      media('document', { from: 'file', protocol: 'messages', id: 'file_1' }),
    ]) {
      const code: GatewayError['code'] = 'unsupported_parameter';
      expect(() => encode([user(unsupported)])).toThrow(expect.objectContaining({ code }));
    }
  });

  it('marks cache breakpoints for OpenAI’s own models and reports the loss for others', () => {
    const marked = [user({ ...text('a'), cache: { ttl: '1h' } }), user(text('b'))];
    expect(encode(marked).losses).toEqual([{ field: 'cache_control', how: 'dropped' }]);
    expect(encode(marked, { model: 'gpt-5' }).written[0]).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }],
    });
  });

  it('writes a refusal in the vendor’s field, or as text without one', () => {
    const turn = assistant({ type: 'refusal', text: 'no' });
    expect(encode([turn], { model: 'gpt-5' }).written).toEqual([{ role: 'assistant', content: null, refusal: 'no' }]);
    expect(encode([turn]).written).toEqual([{ role: 'assistant', content: 'no' }]);
  });

  it('omits blocks of other protocols and reports their type', () => {
    const { written, losses } = encode([
      user(text('a'), { type: 'foreign', protocol: 'messages', kind: 'server_tool_use', raw: {} }),
    ]);
    expect(written).toEqual([{ role: 'user', content: 'a' }]);
    expect(losses).toEqual([{ field: 'server_tool_use', how: 'dropped' }]);
  });
});
