import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realtimeCaller } from '../../../test/realtime-caller.ts';
import { createSpeech } from '../../media/audio/create-speech.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const audio = Buffer.concat([...createSpeech('a paper kite').chunks()]).toString('base64');
const COMPLETED = 'conversation.item.input_audio_transcription.completed';

describe('a transcription session', () => {
  it.each([
    [
      'today',
      false,
      {
        type: 'session.update',
        session: { type: 'transcription', audio: { input: { transcription: { model: 'w' } } } },
      },
      {
        type: 'session.updated',
        session: { type: 'transcription', audio: { input: { transcription: { model: 'w' } } } },
      },
    ],
    [
      'the beta',
      true,
      { type: 'transcription_session.update', session: { input_audio_transcription: { model: 'w' } } },
      { type: 'transcription_session.updated', session: { input_audio_transcription: { model: 'w' } } },
    ],
  ])('has no model and transcribes its input, in the style of %s', async (_, beta, update, updated) => {
    const caller = await realtimeCaller(sandbox.url, { beta, query: 'intent=transcription' });
    const created = await caller.next();
    expect(created).toMatchObject({ type: updated.type.replace('updated', 'created') });
    expect(created).not.toHaveProperty('session.model');
    caller.send(update);
    expect(await caller.next()).toMatchObject(updated);
    caller.send({ type: 'input_audio_buffer.append', audio }, { type: 'input_audio_buffer.commit' });
    expect((await caller.until(COMPLETED)).at(-1)).toMatchObject({ transcript: 'a paper kite' });
    caller.close();
  });

  it('creates no responses and cannot change its type', async () => {
    const caller = await realtimeCaller(sandbox.url, { query: 'intent=transcription' });
    await caller.next();
    caller.send({ type: 'response.create' }, { type: 'session.update', session: { type: 'realtime' } });
    expect(await caller.receive(2)).toMatchObject([
      { type: 'error' },
      { type: 'error', error: { param: 'session.type' } },
    ]);
    caller.close();
  });
});

it('a session that attaches to a call has the model of the call', async () => {
  const caller = await realtimeCaller(sandbox.url, { query: 'call_id=rtc_1' });
  expect(await caller.next()).toMatchObject({ type: 'session.created', session: { model: 'gpt-realtime' } });
  caller.close();
});
