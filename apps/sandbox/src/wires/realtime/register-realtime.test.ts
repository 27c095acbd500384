import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deltasOf, realtimeCaller, type RealtimeCaller } from '../../../test/realtime-caller.ts';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { createSpeech } from '../../media/audio/create-speech.ts';
import { hiddenText } from '../../media/audio/hidden-text.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
const call = wireCaller(() => sandbox.url, { authorization: 'Bearer sk-sandbox' });
beforeEach(() => call('GET', '/_sandbox/requests?clear=1'));

const open = (beta = false): Promise<RealtimeCaller> => realtimeCaller(sandbox.url, { beta });
const textOnly = { type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } };
const userMessage = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});
const pcm = (text: string) => Buffer.concat([...createSpeech(text).chunks()]).toString('base64');
const seen = async () => at((await call('GET', '/_sandbox/requests')).body, 'requests.0');

async function object(text: string): Promise<RealtimeCaller> {
  const caller = await open();
  caller.send(textOnly, userMessage(text), { type: 'response.create' });
  await caller.until('response.created');
  return caller;
}

describe('a session', () => {
  it('is sent immediately and keeps its updates', async () => {
    const caller = await open();
    expect(await caller.next()).toMatchObject({
      type: 'session.created',
      event_id: expect.stringMatching(/^event_/),
      session: {
        type: 'realtime',
        model: 'gpt-realtime',
        output_modalities: ['audio'],
        audio: { output: { voice: 'alloy' } },
      },
    });
    caller.send({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'Be kind.', audio: { output: { voice: 'marin' } } },
    });
    expect(await caller.next()).toMatchObject({
      type: 'session.updated',
      session: {
        instructions: 'Be kind.',
        output_modalities: ['audio'],
        audio: { input: { turn_detection: null }, output: { voice: 'marin', speed: 1 } },
      },
    });
    caller.close();
  });

  it.each<[object, object]>([
    [{ type: 'session.shout' }, { param: 'type', code: 'invalid_value' }],
    [
      { type: 'response.create', more: 1 },
      { param: 'more', code: 'unknown_parameter' },
    ],
    [{ type: 'session.update', session: {} }, { param: 'session.type' }],
    [{ type: 'session.update', session: { type: 'realtime', model: 'other' } }, { param: 'session.model' }],
    [{ type: 'session.update', session: { type: 'realtime', modalities: ['text'] } }, { code: 'unknown_parameter' }],
    [{ type: 'input_audio_buffer.append', audio: '*' }, { param: 'audio' }],
    [{ type: 'input_audio_buffer.commit' }, { code: 'input_audio_buffer_commit_empty' }],
    [{ type: 'response.cancel' }, { code: 'response_cancel_not_active' }],
    [{ type: 'conversation.item.delete', item_id: 'x' }, { code: 'item_not_found' }],
    [
      {
        type: 'conversation.item.create',
        item: { type: 'message', role: 'user', content: [{ type: 'text', text: '' }] },
      },
      { param: 'item.content[0].type', code: 'invalid_value' },
    ],
  ])('rejects %j and continues', async (event, error) => {
    const caller = await open();
    await caller.next();
    caller.send({ event_id: 'mine', ...event }, textOnly);
    expect(await caller.next()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.any(String), event_id: 'mine', ...error },
    });
    expect(await caller.next()).toMatchObject({ type: 'session.updated' });
    caller.close();
  });

  it('rejects frames that are not JSON, and binary frames', async () => {
    const caller = await open();
    await caller.next();
    caller.socket.send('{');
    caller.socket.send(Buffer.from('{"type":"response.create"}'));
    for (const error of await caller.receive(2))
      expect(error).toMatchObject({ type: 'error', error: { code: 'invalid_json' } });
    caller.close();
  });
});

describe('a response', () => {
  it('is sent as text, event by event, with usage', async () => {
    const caller = await open();
    caller.send(textOnly, userMessage('one two three four'), {
      type: 'response.create',
      response: { metadata: { a: 'b' } },
    });
    const events = await caller.until('response.done');
    expect(events.map((event) => at(event, 'type'))).toEqual([
      'session.created',
      'session.updated',
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'response.output_item.added',
      'conversation.item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'conversation.item.done',
      'response.done',
    ]);
    expect(deltasOf(events).join('')).toBe('You said: one two three four');
    const content = [{ type: 'output_text', text: 'You said: one two three four' }];
    expect(at(events.at(-1), 'response')).toMatchObject({
      status: 'completed',
      metadata: { a: 'b' },
      output_modalities: ['text'],
      output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
      usage: { input_tokens: 17, output_tokens: 6, total_tokens: 23, output_token_details: { audio_tokens: 0 } },
    });
    caller.close();
  });

  it('is sent as audio that contains its transcript', async () => {
    const caller = await open();
    caller.send(userMessage('kite'), { type: 'response.create' });
    const events = await caller.until('response.done');
    const all = (type: string) =>
      events.filter((event) => at(event, 'type') === type).map((event) => at(event, 'delta'));
    expect(all('response.output_audio_transcript.delta').join('')).toBe('You said: kite');
    const sound = Buffer.concat(
      all('response.output_audio.delta').map((delta) => Buffer.from(String(delta), 'base64')),
    );
    expect(hiddenText(sound)).toBe('You said: kite');
    expect(at(events.at(-1), 'response.usage.output_token_details')).toEqual({ text_tokens: 3, audio_tokens: 12 });
    expect(at(events.at(-1), 'response.output.0.content.0')).toEqual({
      type: 'output_audio',
      transcript: 'You said: kite',
    });
    caller.close();
  });

  it('transcribes input audio, and returns the transcript if the session requests it', async () => {
    const caller = await open();
    const transcription = {
      type: 'realtime',
      output_modalities: ['text'],
      audio: { input: { transcription: { model: 'm' } } },
    };
    caller.send({ type: 'session.update', session: transcription });
    const bytes = pcm('The kite flies.');
    const half = bytes.length - (bytes.length % 8) - 800;
    for (const audio of [bytes.slice(0, half), bytes.slice(half)])
      caller.send({ type: 'input_audio_buffer.append', audio });
    caller.send({ type: 'input_audio_buffer.commit' }, { type: 'response.create' });
    const events = await caller.until('response.done');
    expect(events.slice(2, 6)).toMatchObject([
      { type: 'input_audio_buffer.committed', previous_item_id: null },
      { type: 'conversation.item.added', item: { content: [{ type: 'input_audio' }] } },
      { type: 'conversation.item.done' },
      { type: 'conversation.item.input_audio_transcription.completed', transcript: 'The kite flies.' },
    ]);
    expect(at(events.at(-1), 'response')).toMatchObject({
      output: [{ content: [{ text: 'You said: The kite flies.' }] }],
      usage: { input_token_details: { audio_tokens: 6 } },
    });
    caller.close();
  });

  it('uses the beta’s names on request', async () => {
    const caller = await open(true);
    caller.send({ type: 'session.update', session: { modalities: ['text'] } }, userMessage('kite'), {
      type: 'response.create',
    });
    const events = await caller.until('response.done');
    expect(events.map((event) => at(event, 'type'))).toEqual([
      'session.created',
      'conversation.created',
      'session.updated',
      'conversation.item.created',
      'response.created',
      'response.output_item.added',
      'conversation.item.created',
      'response.content_part.added',
      'response.text.delta',
      'response.text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ]);
    caller.send({ type: 'response.create', response: { modalities: ['text', 'audio'] } });
    const types = (await caller.until('response.done')).map((event) => at(event, 'type'));
    expect(types).toContain('response.audio.delta');
    expect(types).toContain('response.audio_transcript.done');
    caller.close();
  });

  it('continues the conversation, runs one at a time, and stops on request', async () => {
    const caller = await object('[slow:30] kite');
    caller.send({ type: 'response.create' }, { type: 'response.cancel' });
    expect(await caller.until('response.done')).toMatchObject([
      { type: 'error', error: { code: 'conversation_already_has_active_response' } },
      { type: 'response.done', response: { status: 'cancelled' } },
    ]);
    caller.send(userMessage('sea'), { type: 'response.create', response: { conversation: 'none' } });
    const done = (await caller.until('response.done')).at(-1);
    expect(done).toMatchObject({
      response: { conversation_id: null, output: [{ content: [{ text: 'You said: sea' }] }] },
    });
    caller.close();
  });
});

it('accepts 15 MiB in one event, and logs events', async () => {
  const caller = await open();
  caller.send(textOnly, { type: 'input_audio_buffer.append', audio: Buffer.alloc(11 * 1024 ** 2).toString('base64') });
  caller.send({ type: 'input_audio_buffer.commit' }, { type: 'response.create' });
  expect((await caller.until('response.done')).at(-2)).toMatchObject({
    item: { content: [{ text: expect.stringContaining('s of audio/pcm)') }] },
  });
  caller.close();
  await vi.waitFor(async () => expect(await seen()).toMatchObject({ left: true }), 30_000);
  expect(await seen()).toMatchObject({
    wire: 'realtime',
    model: 'gpt-realtime',
    status: 101,
    body: { events: [{ type: 'session.update' }, { audio: '15379116 characters' }, {}, { type: 'response.create' }] },
  });
});
