import { describe, expect, it } from 'vitest';
import { addUsage, readServerEvent } from './server-event.ts';

const edits = { model: 'ours', scrub: (text: string) => text.replaceAll('sk-secret', '[hidden]') };

function read(text: string) {
  const data = Buffer.from(text);
  const event = readServerEvent(data, edits);
  return { ...event, text: Buffer.from(event.data).toString(), isSame: event.data === data };
}

describe('readServerEvent', () => {
  it.each(['session.created', 'session.updated'])('shows the model that was asked for in %s', (type) => {
    const event = { type, event_id: 'e', session: { id: 's', model: 'gpt-realtime-2025', voice: 'alloy' } };
    expect(JSON.parse(read(JSON.stringify(event)).text)).toEqual({
      ...event,
      session: { ...event.session, model: 'ours' },
    });
    const last = JSON.stringify({ session: event.session, tools: [], type });
    expect(JSON.parse(read(last).text)).toMatchObject({ session: { model: 'ours' } });
    expect(read(JSON.stringify({ type, session: { id: 's' } })).isSame).toBe(true);
  });

  it('reads what a response has cost, and leaves it as it is', () => {
    const usage = {
      total_tokens: 30,
      input_tokens: 20,
      output_tokens: 10,
      input_token_details: { text_tokens: 5, audio_tokens: 15, cached_tokens: 4 },
      output_token_details: { text_tokens: 3, audio_tokens: 7 },
    };
    const got = read(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } }));
    expect(got.isSame).toBe(true);
    expect(got.usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      cachedTokens: 4,
      audioInputTokens: 15,
      audioOutputTokens: 7,
    });
  });

  it('reads what a transcription has cost in tokens, and nothing of one that is paid by the second', () => {
    const type = 'conversation.item.input_audio_transcription.completed';
    const byToken = { type, transcript: 'hi', usage: { type: 'tokens', input_tokens: 7, output_tokens: 2 } };
    expect(read(JSON.stringify(byToken)).usage).toEqual({ inputTokens: 7, outputTokens: 2 });
    expect(read(JSON.stringify({ ...byToken, usage: { type: 'duration', seconds: 3 } })).usage).toBeUndefined();
  });

  it.each([
    ['an error', { type: 'error', error: { message: 'bad key sk-secret' } }],
    ['a failed response', { type: 'response.done', response: { status: 'failed', error: 'sk-secret' } }],
    ['a failed transcription', { type: 'conversation.item.input_audio_transcription.failed', error: 'sk-secret' }],
  ])('hides what tells the account in %s', (_, event) => {
    const { text } = read(JSON.stringify(event));
    expect(text).toBe(JSON.stringify(event).replace('sk-secret', '[hidden]'));
  });

  it.each([
    '{"type":"response.output_audio.delta","delta":"AAAA sk-secret"}',
    '{"type":"response.output_text.delta","delta":"{\\"type\\":\\"error\\"} sk-secret"}',
    '{"item":{"type":"error"},"type":"conversation.item.added","note":"sk-secret"}',
    '{"type":"response.done"}',
    '{"type":"response.done","response":{"usage":{"input_tokens":-1,"output_tokens":"x"}}}',
    '{"type":"session.created","session":null}',
    '{"type":7}',
    'no JSON with sk-secret',
    '',
  ])('lets %j pass as it is', (text) => {
    expect(read(text)).toMatchObject({ isSame: true });
    expect(read(text).usage).toBeUndefined();
  });

  it('does not parse what is long and of no interest', () => {
    const audio = Buffer.from(`{"type":"response.output_audio.delta","delta":"${'A'.repeat(16 * 1024 * 1024)}"}`);
    const before = performance.now();
    for (let times = 0; times < 100; times++) readServerEvent(audio, edits);
    // Parsing it a hundred times takes seconds.
    expect(performance.now() - before).toBeLessThan(1_500);
  });
});

describe('addUsage', () => {
  it('adds what is known of either', () => {
    const one = { inputTokens: 1, outputTokens: 2, cachedTokens: 3 };
    expect(addUsage(undefined, one)).toEqual(one);
    expect(addUsage(one, { inputTokens: 10, outputTokens: 20, audioInputTokens: 5 })).toEqual({
      inputTokens: 11,
      outputTokens: 22,
      cachedTokens: 3,
      audioInputTokens: 5,
    });
  });
});
