import { createOpenAI } from '@ai-sdk/openai';
import { transcribe } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY } from '../stack.ts';
import { type AudioStack, startAudioStack } from './audio-stack.ts';

let stack: AudioStack;
let wav: ArrayBuffer;
beforeAll(async () => {
  stack = await startAudioStack();
  const params = { model: 'tts-1', input: TEXT, voice: 'ash', response_format: 'wav' } as const;
  wav = await (await stack.openai.audio.speech.create(params)).arrayBuffer();
}, 60_000);
afterAll(() => stack.close());

const TEXT = 'The red kite flies over the bay. The wind carries it.';
const file = () => new File([new Uint8Array(wav)], 'kite.wav');

/** Posts a form with fields before and after the file. */
function post(path: string, before: Record<string, string>, after: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(before)) form.append(name, value);
  form.append('file', file());
  for (const [name, value] of Object.entries(after)) form.append(name, value);
  return fetch(`${stack.baseUrl}/audio/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: form,
  });
}

const SRT =
  /^1\n00:00:00,000 --> \d\d:\d\d:\d\d,\d{3}\nThe red kite flies over the bay\.\n\n2\n.+\nThe wind carries it\.\n/;
const VTT = /^WEBVTT\n\n00:00:00\.000 --> (?:\d\d:)?\d\d:\d\d\.\d{3}\nThe red kite flies over the bay\.\n\n/;

describe('the OpenAI SDK', () => {
  it.each(['whisper-1', 'gpt-4o-transcribe', 'segments-only', 'gemini-transcriber', 'second-choice'])(
    'reads the transcript of %s',
    async (model) => {
      const { text } = await stack.openai.audio.transcriptions.create({ model, file: file(), language: 'en' });
      expect(text).toBe(TEXT);
    },
  );

  it.each(['whisper-1', 'gemini-transcriber'])('reads a translation of %s', async (model) => {
    const { text } = await stack.openai.audio.translations.create({ model, file: file(), prompt: 'A kite.' });
    expect(text).toBe(TEXT);
  });

  it.each(['whisper-1', 'segments-only'])('reads all formats of %s', async (model) => {
    const { transcriptions } = stack.openai.audio;
    const common = { model, file: file() };
    expect(await transcriptions.create({ ...common, response_format: 'text' })).toBe(`${TEXT}\n`);
    expect(await transcriptions.create({ ...common, response_format: 'srt' })).toMatch(SRT);
    expect(await transcriptions.create({ ...common, response_format: 'vtt' })).toMatch(VTT);
    const verbose = await transcriptions.create({
      ...common,
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose).toMatchObject({ text: TEXT, segments: [{ id: 0, start: 0 }, {}], words: expect.any(Array) });
  });

  it.each([
    ['of the upstream', 'gpt-4o-transcribe'],
    ['that the gateway encodes from a complete transcript', 'whisper-1'],
    ['that the gateway encodes from a complete transcript of Gemini', 'gemini-transcriber'],
  ])('reads events %s', async (_title, model) => {
    const stream = await stack.openai.audio.transcriptions.create({ model, file: file(), stream: true });
    let received = '';
    let done: unknown;
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') received += event.delta;
      else done = event;
    }
    expect(received).toBe(TEXT);
    expect(done).toMatchObject({ type: 'transcript.text.done', text: TEXT });
  });

  it.each(['srt', 'vtt', 'verbose_json'] as const)(
    'receives an error for %s if the model has no timestamps',
    async (format) => {
      for (const model of ['gpt-4o-transcribe', 'gemini-transcriber']) {
        const params = stack.openai.audio.transcriptions.create({ model, file: file(), response_format: format });
        await expect(params).rejects.toMatchObject({ status: 400, param: 'response_format' });
      }
    },
  );
});

it.each([
  ['json', 'application/json'],
  ['text', 'text/plain'],
  ['srt', 'application/x-subrip'],
  ['vtt', 'text/vtt'],
  ['verbose_json', 'application/json'],
])('returns %s as %s for any order of the fields', async (format, type) => {
  for (const model of ['whisper-1', 'segments-only']) {
    const fields = { response_format: format };
    const responses = await Promise.all([
      post('transcriptions', { model, ...fields }),
      post('transcriptions', { model }, fields),
      post('transcriptions', {}, { model, ...fields }),
      post('translations', fields, { model }),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(new RegExp(`^${type}`));
      expect((await response.text()).replaceAll(/\s+/g, ' ')).toContain('The red kite');
    }
  }
});

it('forwards fields of the vendor', async () => {
  const response = await post('transcriptions', { model: 'gpt-4o-transcribe' }, { 'include[]': 'logprobs' });
  expect(await response.json()).toMatchObject({ text: TEXT, logprobs: expect.any(Array) });
  const [seen] = await stack.seen();
  expect(seen).toMatchObject({ wire: 'audio', model: 'gpt-4o-transcribe', body: { include: ['logprobs'] } });
});

it('rejects an invalid field after the audio with 400', async () => {
  const response = await post('transcriptions', { model: 'whisper-1' }, { temperature: '7' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'temperature', code: 'invalid_request' } });
});

it('the AI SDK receives a transcript', async () => {
  const vendor = createOpenAI({ apiKey: KEY, baseURL: stack.baseUrl });
  const { text } = await transcribe({ model: vendor.transcription('whisper-1'), audio: new Uint8Array(wav) });
  expect(text).toBe(TEXT);
});
