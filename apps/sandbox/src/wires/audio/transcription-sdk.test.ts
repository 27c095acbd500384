import { createOpenAI } from '@ai-sdk/openai';
import { transcribe } from 'ai';
import { OpenAI, toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpeech } from '../../media/audio/create-speech.ts';
import { encodeSpeech, type SoundFormat } from '../../media/audio/encode-speech.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const sound = (text: string, format: SoundFormat) => Buffer.concat([...encodeSpeech(createSpeech(text), format)]);
const client = () => new OpenAI({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1`, maxRetries: 0 });
const file = () => toFile(sound('Hello there. 你好!', 'mp3'), 'hello.mp3');

describe('the openai client', () => {
  it('transcribes and translates', async () => {
    const { transcriptions, translations } = client().audio;
    const plain = await transcriptions.create({ model: 'whisper-1', file: await file() });
    expect(plain.text).toBe('Hello there. 你好!');
    const verbose = await transcriptions.create({
      model: 'whisper-1',
      file: await file(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
      chunking_strategy: { type: 'server_vad', threshold: 0.5 },
    });
    expect(verbose).toMatchObject({ segments: [{ id: 0 }, { id: 1 }], words: [{ word: 'Hello' }, {}, {}] });
    const srt = await transcriptions.create({ model: 'whisper-1', file: await file(), response_format: 'srt' });
    expect(srt).toMatch(/^1\n00:00:00,000 --> /);
    // Deprecated by the vendor, but still served.
    // oxlint-disable-next-line typescript/no-deprecated
    const translated = await translations.create({ model: 'whisper-1', file: await file() });
    expect(translated.text).toBe('Hello there. 你好!');
  });

  it('streams', async () => {
    const stream = await client().audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file: await file(),
      stream: true,
    });
    const types = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.done']);
  });

  it('notices an aborted stream', async () => {
    const params = { model: 'gpt-4o-transcribe', file: await file(), prompt: '[error]', stream: true } as const;
    const stream = await client().audio.transcriptions.create(params);
    const read = async () => {
      for await (const event of stream) expect(event.type).toBe('transcript.text.delta');
    };
    await expect(read()).rejects.toThrow('The server had an error');
  });
});

it('transcribes for the AI SDK', async () => {
  const openai = createOpenAI({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1` });
  for (const name of ['whisper-1', 'gpt-4o-transcribe']) {
    const audio = sound('Hello there.', 'wav');
    const { text } = await transcribe({ model: openai.transcription(name), audio });
    expect(text).toBe('Hello there.');
  }
});
