import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type RealtimeRig, realtimeRig } from '../../test/realtime-rig.ts';

const BOUND = 'sk-bound-key';
const PAYING = 'sk-paying-key';

let rig: RealtimeRig;
beforeAll(async () => {
  const keys = [
    { name: 'alice', key: KEYS.alice },
    { name: 'bound', key: BOUND, models: ['voice'] },
    { name: 'paying', key: PAYING, budget: { usd: 5, period: 'day' } },
  ];
  rig = await realtimeRig({ config: { keys } });
});
afterAll(() => rig.close());

/** Opens a session with a key and records the events that the vendor receives. */
async function open(key: string, query = 'model=voice') {
  const client = await rig.connect(query, { headers: { authorization: `Bearer ${key}` } });
  const recorded: unknown[] = [];
  // The cast is safe because `ws` delivers messages as buffers.
  rig.vendor.sockets.at(-1)?.on('message', (data) => recorded.push(JSON.parse((data as Buffer).toString())));
  const sendEvent = (event: object) => client.socket.send(JSON.stringify(event));
  const end = () => new Promise((resolve) => client.socket.once('close', resolve).close());
  return { client, recorded, sendEvent, end };
}

const ga = (model: string) => ({ type: 'realtime', audio: { input: { transcription: { model } } } });
const beta = (model: string) => ({ input_audio_transcription: { model } });
const CLEAR = { type: 'input_audio_buffer.clear' };

describe.each([
  ['session.update', 'session.audio.input.transcription.model', ga],
  ['session.update', 'session.input_audio_transcription.model', beta],
  ['transcription_session.update', 'session.input_audio_transcription.model', beta],
])('%s with %s', (type, param, format) => {
  it.each([
    ['some models', BOUND],
    ['a budget', PAYING],
  ])('rejects another model for a key with %s and continues the session', async (_, key) => {
    const { client, recorded, sendEvent, end } = await open(key);
    sendEvent({ event_id: 'mine', type, session: format('dear-model') });
    await expect.poll(() => client.texts).toHaveLength(1);
    expect(JSON.parse(client.texts[0] ?? '')).toEqual({
      type: 'error',
      event_id: expect.stringMatching(/^event_/) as string,
      error: {
        type: 'invalid_request_error',
        code: 'unsupported_parameter',
        message: expect.stringMatching(/names another model/) as string,
        param,
        event_id: 'mine',
      },
    });
    sendEvent({ type, session: format('voice') });
    sendEvent(CLEAR);
    await expect.poll(() => recorded).toEqual([{ type, session: format('theirs') }, CLEAR]);
    await end();
  });

  it('allows any model for an unrestricted key', async () => {
    const { client, recorded, sendEvent, end } = await open(KEYS.alice, 'model=voice&intent=transcription');
    sendEvent({ type, session: format('dear-model') });
    await expect.poll(() => recorded).toEqual([{ type, session: format('dear-model') }]);
    expect(client.texts).toEqual([]);
    await end();
  });
});

it('uses the requested model in a transcription session', async () => {
  const { recorded, sendEvent, end } = await open(BOUND, 'model=voice&intent=transcription');
  sendEvent({ type: 'session.update', session: ga('voice') });
  await expect.poll(() => recorded).toEqual([{ type: 'session.update', session: ga('theirs') }]);
  await end();
});

it('disconnects a client that keeps sending rejected events and reads nothing', async () => {
  const { client } = await open(BOUND);
  client.socket.pause();
  const refused = JSON.stringify({ type: 'session.update', session: ga('dear-model') });
  const flood = setInterval(() => {
    if (client.socket.bufferedAmount > 1_000_000) return;
    for (let times = 0; times < 5_000; times += 1) client.socket.send(refused, () => undefined);
  }, 20);
  try {
    await expect.poll(() => rig.vendor.sockets.at(-1)?.readyState).toBe(3);
  } finally {
    clearInterval(flood);
    client.socket.terminate();
  }
}, 60_000);
