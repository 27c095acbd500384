import { createOpenAI } from '@ai-sdk/openai';
import { generateSpeech } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY } from '../stack.ts';
import { type AudioStack, startAudioStack } from './audio-stack.ts';

let stack: AudioStack;
beforeAll(async () => {
  stack = await startAudioStack();
}, 60_000);
afterAll(() => stack.close());

const TEXT = 'The red kite flies over the bay.';

/** The sandbox's transcript of an audio. */
async function recorded(sound: ArrayBuffer, name: string): Promise<string> {
  const file = new File([new Uint8Array(sound)], name);
  const { text } = await stack.openai.audio.transcriptions.create({ model: 'whisper-1', file });
  return text;
}

describe('the OpenAI SDK', () => {
  it.each([
    ['mp3', 'audio/mpeg'],
    ['flac', 'audio/flac'],
    ['wav', 'audio/wav'],
  ] as const)('receives %s as %s', async (format, type) => {
    const params = { model: 'gpt-4o-mini-tts', input: TEXT, voice: 'coral', response_format: format } as const;
    const response = await stack.openai.audio.speech.create({ ...params, instructions: 'Gladly.', speed: 1.5 });
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-sluice-upstream')).toBe('openai');
    expect(await recorded(await response.arrayBuffer(), `a.${format}`)).toBe(TEXT);
  });

  it('receives MP3 by default, and raw samples as pcm', async () => {
    const params = { model: 'tts-1', input: TEXT, voice: { id: 'voice_1' } } as const;
    const mp3 = await stack.openai.audio.speech.create(params);
    expect(mp3.headers.get('content-type')).toBe('audio/mpeg');
    const pcm = await stack.openai.audio.speech.create({ ...params, response_format: 'pcm' });
    expect(pcm.headers.get('content-type')).toBe('audio/pcm');
    expect((await pcm.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  it.each([
    ['that the upstream writes', 'gpt-4o-mini-tts'],
    ['that are made of its bytes', 'tts-1'],
  ])('reads events %s', async (_what, model) => {
    const response = await stack.openai.audio.speech.create({
      model,
      input: TEXT,
      voice: 'ash',
      response_format: 'wav',
      stream_format: 'sse',
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const frames = (await response.text()).trimEnd().split('\n\n');
    const events = frames.map((frame) => JSON.parse(frame.replace('data: ', '')) as { type: string; audio?: string });
    expect(events.at(-1)?.type).toBe('speech.audio.done');
    const sound = Buffer.concat(events.map(({ audio = '' }) => Buffer.from(audio, 'base64')));
    expect(await recorded(Uint8Array.from(sound).buffer, 'a.wav')).toBe(TEXT);
  });

  it('is served by the next upstream if the first is unreachable', async () => {
    const response = await stack.openai.audio.speech.create({ model: 'second-voice', input: TEXT, voice: 'ash' });
    expect(response.headers.get('x-sluice-upstream')).toBe('openai');
    expect(await recorded(await response.arrayBuffer(), 'a.mp3')).toBe(TEXT);
  });

  it.each(['opus', 'aac'] as const)('receives the vendor’s error for a missing %s', async (format) => {
    const params = { model: 'tts-1', input: TEXT, voice: 'ash', response_format: format } as const;
    await expect(stack.openai.audio.speech.create(params)).rejects.toMatchObject({
      status: 400,
      param: 'response_format',
    });
  });

  it('never takes a sound that broke off for a whole one', async () => {
    const params = { model: 'tts-1', input: `${'kite '.repeat(100)} [cut]`, voice: 'ash' } as const;
    const response = await stack.openai.audio.speech.create(params);
    await expect(response.arrayBuffer()).rejects.toThrow();
    const events = await stack.openai.audio.speech.create({ ...params, stream_format: 'sse' });
    await expect(events.text()).rejects.toThrow();
  });
});

describe('over Gemini', () => {
  it.each([
    ['wav', 'audio/wav'],
    ['pcm', 'audio/pcm'],
  ] as const)('the OpenAI SDK receives %s', async (format, type) => {
    const params = { model: 'gemini-tts', input: TEXT, voice: 'coral', response_format: format } as const;
    const response = await stack.openai.audio.speech.create(params);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-sluice-dropped')).toBe('voice');
    const sound = await response.arrayBuffer();
    if (format === 'wav') expect(await recorded(sound, 'a.wav')).toBe(TEXT);
    else expect(sound.byteLength).toBeGreaterThan(1_000);
  });

  it('the OpenAI SDK receives the list of formats in an error', async () => {
    const params = { model: 'gemini-tts', input: TEXT, voice: 'Kore' } as const;
    await expect(stack.openai.audio.speech.create(params)).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'response_format',
    });
  });
});

it('speaks to the AI SDK', async () => {
  const vendor = createOpenAI({ apiKey: KEY, baseURL: stack.baseUrl });
  const { audio } = await generateSpeech({
    model: vendor.speech('gpt-4o-mini-tts'),
    text: TEXT,
    voice: 'nova',
    speed: 2,
  });
  expect(await recorded(Uint8Array.from(audio.uint8Array).buffer, 'a.mp3')).toBe(TEXT);
});
