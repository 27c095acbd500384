import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { AUDIO, type AudioUpstream, formOf, type Part } from '../../test/audio-rig.ts';
import type { TextRig } from '../../test/text-rig.ts';
import { json, TRANSCRIPTIONS, transcriptionRig, type TranscriptionRig } from '../../test/transcription-rig.ts';

let first: AudioUpstream;
let second: AudioUpstream;
let rig: TextRig;
let post: TranscriptionRig['post'];
let transcription: TranscriptionRig;
beforeAll(async () => {
  transcription = await transcriptionRig();
  ({ first, second, rig, post } = transcription);
});
afterAll(() => transcription.close());
afterEach(() => transcription.reset());

/** Returns the name and value of each form part, in order. */
function partsOf(body: Buffer): [string, string][] {
  const text = body.toString();
  const boundary = text.slice(0, text.indexOf('\r\n'));
  return text
    .split(boundary)
    .slice(1, -1)
    .map((part) => [/name="([^"]*)"/.exec(part)?.[1] ?? '', part.slice(part.indexOf('\r\n\r\n') + 4, -2)]);
}

/** Starts an upload that a test writes in chunks. */
function uploading(at = TRANSCRIPTIONS) {
  const sent = httpRequest(rig.origin + at, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  sent.on('error', () => undefined);
  const reply = new Promise<number | undefined>((resolve) => {
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  return { sent, response: reply };
}

const HEAD = formOf([['model', 'ears'], AUDIO], '').subarray(0, -2);

describe('an audio form', () => {
  it("keeps its field order around the audio, with the upstream's model", async () => {
    first.response = json({ text: 'kite' });
    const early: Part[] = [
      ['model', 'ears'],
      ['language', 'en'],
      ['include[]', 'logprobs'],
    ];
    const late: Part[] = [
      ['prompt', 'A kite.'],
      ['keywords', 'bay'],
      ['timestamp_granularities[]', 'word'],
      ['response_format', 'verbose_json'],
    ];
    const reply = await post([...early, AUDIO, ...late]);
    expect([reply.status, await reply.json()]).toEqual([200, { text: 'kite' }]);
    const [recorded] = first.recorded;
    expect(recorded?.headers['transfer-encoding']).toBe('chunked');
    expect(partsOf(recorded?.body ?? Buffer.alloc(0))).toEqual([
      ['model', 'whisper-1'],
      ['language', 'en'],
      ['include[]', 'logprobs'],
      ['file', 'RIFF-the-kite'],
      ['prompt', 'A kite.'],
      ['keywords', 'bay'],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
    ]);
  });

  it('whose model follows the audio is sent with all fields first, and with its length', async () => {
    first.response = json({ text: 'kite' });
    const reply = await post([AUDIO, ['temperature', '0.5'], ['timestamp_granularities', 'word'], ['model', 'ears']]);
    expect(reply.status).toBe(200);
    const [recorded] = first.recorded;
    expect(recorded?.headers['content-length']).toBe(String(recorded?.body.byteLength));
    expect(partsOf(recorded?.body ?? Buffer.alloc(0))).toEqual([
      ['model', 'whisper-1'],
      ['temperature', '0.5'],
      ['timestamp_granularities[]', 'word'],
      ['file', 'RIFF-the-kite'],
    ]);
  });

  it('reaches the upstream before the client has sent the rest', async () => {
    first.response = json({ text: 'kite' });
    const { sent, response: reply } = uploading();
    sent.write(HEAD);
    await vi.waitFor(() => expect(first.recorded[0]?.body.toString()).toContain('RIFF-the'), 30_000);
    expect(first.recorded[0]?.isComplete).toBe(false);
    sent.end('\r\n--b--\r\n');
    expect(await reply).toBe(200);
  });

  it('for a translation is sent as a translation', async () => {
    first.response = json({ text: 'kite' });
    expect((await post([['model', 'ears'], AUDIO], '/v1/audio/translations')).status).toBe(200);
    expect(first.recorded[0]?.path).toBe('/audio/translations');
  });
});

describe('a fallback', () => {
  it('happens while no byte has been sent', async () => {
    second.response = json({ text: 'from the second' });
    const reply = await post([['model', 'far-ears'], AUDIO]);
    expect([await reply.json(), reply.headers.get('x-sluice-upstream')]).toEqual([
      { text: 'from the second' },
      'second',
    ]);
  });

  it('happens after a rejection if the audio was spooled, but not if it was streamed', async () => {
    first.response = json({ error: { message: 'busy' } }, 503);
    second.response = json({ text: 'from the second' });
    const spooled = await post([AUDIO, ['model', 'ears']]);
    expect([spooled.status, await spooled.json()]).toEqual([200, { text: 'from the second' }]);
    second.recorded.length = 0;
    const passed = await post([['model', 'ears'], AUDIO]);
    expect([passed.status, second.recorded]).toEqual([503, []]);
  });
});

describe('an interrupted transcription', () => {
  it('aborts the upstream call when the client disconnects', async () => {
    const { sent } = uploading();
    sent.write(HEAD);
    await vi.waitFor(() => expect(first.recorded).toHaveLength(1), 30_000);
    sent.destroy();
    await vi.waitFor(
      () => expect(first.recorded).toMatchObject([{ hasDisconnected: true, isComplete: false }]),
      10_000,
    );
    expect(second.recorded).toEqual([]);
  });

  it("reports an upstream's rejection before the upload is complete", async () => {
    first.early = (_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no","param":"model"}}');
    const { sent, response: reply } = uploading();
    sent.write(HEAD);
    expect(await reply).toBe(400);
    sent.destroy();
  });

  it("reports an upstream's disconnect before the upload is complete", async () => {
    first.early = (_request, response) => response.destroy();
    const { sent, response: reply } = uploading();
    sent.write(HEAD);
    expect(await reply).toBe(502);
    sent.destroy();
  });

  it('aborts the upstream call and reports an invalid last field', async () => {
    const reply = await post([['model', 'ears'], AUDIO, ['temperature', '2']]);
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { param: 'temperature' } }]);
    await vi.waitFor(() => expect(first.recorded).toMatchObject([{ isComplete: false }]), 30_000);
  });
});
