import { describe, expect, it } from 'vitest';
import { readServerEvent } from './server-event.ts';

const edits = {
  model: 'client-model',
  upstreamModel: 'upstream-model-1',
  scrub: (text: string) => text.replaceAll(/sk-secret|vendor\.test/g, '[hidden]'),
  holdsCredential: (data: Uint8Array) => Buffer.from(data).includes('sk-secret'),
};

function read(text: string, isText = true) {
  const data = Buffer.from(text);
  const event = readServerEvent(data, edits, isText);
  return { ...event, text: Buffer.from(event.data).toString(), isSame: event.data === data };
}

describe('readServerEvent', () => {
  it.each(['session.created', 'session.updated', 'transcription_session.created', 'transcription_session.updated'])(
    'returns the requested model in %s',
    (type) => {
      const event = { type, event_id: 'e', session: { id: 's', model: 'gpt-realtime-2025', voice: 'alloy' } };
      expect(JSON.parse(read(JSON.stringify(event)).text)).toEqual({
        ...event,
        session: { ...event.session, model: 'client-model' },
      });
      const last = JSON.stringify({ session: event.session, tools: [], type });
      expect(JSON.parse(read(last).text)).toMatchObject({ session: { model: 'client-model' } });
      expect(read(JSON.stringify({ type, session: { id: 's' } })).isSame).toBe(true);
    },
  );

  it('reads the usage of a response and leaves it unchanged', () => {
    const usage = {
      total_tokens: 30,
      input_tokens: 20,
      output_tokens: 10,
      input_token_details: { text_tokens: 5, audio_tokens: 15, cached_tokens: 4 },
      output_token_details: { text_tokens: 3, audio_tokens: 7 },
    };
    const actual = read(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } }));
    expect(actual.isSame).toBe(true);
    expect(actual.usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      cachedTokens: 4,
      audioInputTokens: 15,
      audioOutputTokens: 7,
    });
  });

  it('reads a transcription’s usage in tokens or in seconds', () => {
    const type = 'conversation.item.input_audio_transcription.completed';
    const byToken = { type, transcript: 'hi', usage: { type: 'tokens', input_tokens: 7, output_tokens: 2 } };
    expect(read(JSON.stringify(byToken)).usage).toEqual({ inputTokens: 7, outputTokens: 2 });
    expect(read(JSON.stringify({ ...byToken, usage: { type: 'duration', seconds: 3.5 } })).usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      audioSeconds: 3.5,
    });
    expect(read(JSON.stringify({ ...byToken, usage: { type: 'duration', seconds: -1 } })).usage).toBeUndefined();
  });

  it.each([
    ['an error', { type: 'error', error: { message: 'bad key sk-secret' } }],
    ['a failed response', { type: 'response.done', response: { status: 'failed', error: 'sk-secret' } }],
    ['a failed transcription', { type: 'conversation.item.input_audio_transcription.failed', error: 'sk-secret' }],
  ])('hides account details in %s', (_, event) => {
    const { text } = read(JSON.stringify(event));
    expect(text).toBe(JSON.stringify(event).replace('sk-secret', '[hidden]'));
  });

  it.each([
    '{"type":"response.output_audio.delta","delta":"AAAA vendor.test"}',
    '{"type":"response.output_text.delta","delta":"{\\"type\\":\\"error\\"} vendor.test"}',
    '{"item":{"type":"error"},"type":"conversation.item.added","note":"vendor.test"}',
    '{"type":"response.done"}',
    '{"type":"response.done","response":{"usage":{"input_tokens":-1,"output_tokens":"x"}}}',
    '{"type":"session.created","session":null}',
    '{"type":7}',
    'no JSON with vendor.test',
    '',
  ])('passes %j unchanged', (text) => {
    expect(read(text)).toMatchObject({ isSame: true });
    expect(read(text).usage).toBeUndefined();
  });

  it.each([
    [
      'an error',
      {
        type: 'error',
        error: { message: 'The model `upstream-model-1` is gone. Use upstream-model-1-mini, not upstream-model-1.' },
      },
    ],
    [
      'a failed tool call',
      { type: 'response.output_item.done', item: { type: 'mcp_call', error: 'vendor.test: upstream-model-1' } },
    ],
    ['a failed list of tools', { type: 'mcp_list_tools.failed', note: 'vendor.test: upstream-model-1' }],
  ])("hides the vendor's host and model name in %s", (_, event) => {
    const expected = JSON.stringify(event)
      .replaceAll('vendor.test', '[hidden]')
      .replaceAll(/upstream-model-1(?!-mini)/g, 'client-model');
    expect(read(JSON.stringify(event)).text).toBe(expected);
    expect(read(JSON.stringify(event), false).text).toBe(expected);
  });

  it.each([
    ['sound', '{"type":"response.output_audio.delta","delta":"sk-secret"}', true],
    ['an item', '{"type":"response.output_item.done","item":{"output":"sk-secret"}}', true],
    ['a session', '{"type":"session.updated","session":{"model":"upstream-model-1","tools":["sk-secret"]}}', true],
    ['an invalid event', 'sk-secret', true],
    ['an event in bytes', '{"type":"rate_limits.updated","x":"sk-secret"}', false],
    ['bytes that are not an event', '\u0001\u00ff sk-secret', false],
  ])('removes credentials from %s', (_, text, isText) => {
    const actual = read(text, isText).text;
    expect(actual).toBe(text.replace('sk-secret', '[hidden]').replace('upstream-model-1', 'client-model'));
  });

  it('returns bytes that are neither event nor credential unchanged', () => {
    const data = Buffer.from([0, 255, 1]);
    expect(readServerEvent(data, edits, false).data).toBe(data);
  });

  it('reads long events with the type at the end', () => {
    const filler = 'x'.repeat(100_000);
    const usage = { input_tokens: 20, output_tokens: 10 };
    const done = { response: { status: 'failed', filler, error: 'vendor.test', usage }, type: 'response.done' };
    const { text, usage: reported } = read(JSON.stringify(done));
    expect(reported).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(text).not.toContain('vendor.test');
    const updated = { session: { instructions: filler, model: 'upstream-model-1' }, type: 'session.updated' };
    expect(read(JSON.stringify(updated)).text).not.toContain('upstream-model-1');
  });

  it('does not parse long events that need no change', () => {
    const audio = Buffer.from(`{"type":"response.output_audio.delta","delta":"${'A'.repeat(16 * 1024 * 1024)}"}`);
    const unsearched = { ...edits, holdsCredential: () => false };
    const before = process.cpuUsage();
    for (let times = 0; times < 100; times++) readServerEvent(audio, unsearched, true);
    // Parsing the event a hundred times would take seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
  });
});
