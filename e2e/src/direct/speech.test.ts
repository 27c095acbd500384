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

/** Returns the sandbox's transcript of an audio file. */
async function transcriptOf(audio: ArrayBuffer, name: string): Promise<string> {
  const file = new File([new Uint8Array(audio)], name);
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
    expect(await transcriptOf(await response.arrayBuffer(), `a.${format}`)).toBe(TEXT);
  });

  it('receives MP3 by default, and raw samples for pcm', async () => {
    const params = { model: 'tts-1', input: TEXT, voice: { id: 'voice_1' } } as const;
    const mp3 = await stack.openai.audio.speech.create(params);
    expect(mp3.headers.get('content-type')).toBe('audio/mpeg');
    const pcm = await stack.openai.audio.speech.create({ ...params, response_format: 'pcm' });
    expect(pcm.headers.get('content-type')).toBe('audio/pcm');
    expect((await pcm.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  it.each([
    ['of the upstream', 'gpt-4o-mini-tts'],
    ['that the gateway encodes', 'tts-1'],
  ])('reads events %s', async (_title, model) => {
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
    const bytes = Buffer.concat(events.map(({ audio = '' }) => Buffer.from(audio, 'base64')));
    expect(await transcriptOf(Uint8Array.from(bytes).buffer, 'a.wav')).toBe(TEXT);
  });

  it('is served by the next upstream if the first is unreachable', async () => {
    const response = await stack.openai.audio.speech.create({ model: 'second-voice', input: TEXT, voice: 'ash' });
    expect(response.headers.get('x-sluice-upstream')).toBe('openai');
    expect(await transcriptOf(await response.arrayBuffer(), 'a.mp3')).toBe(TEXT);
  });

  it.each(['opus', 'aac'] as const)('receives the vendor’s error for the unsupported format %s', async (format) => {
    const params = { model: 'tts-1', input: TEXT, voice: 'ash', response_format: format } as const;
    await expect(stack.openai.audio.speech.create(params)).rejects.toMatchObject({
      status: 400,
      param: 'response_format',
    });
  });

  it('throws if audio is cut off', async () => {
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
    const audio = await response.arrayBuffer();
    if (format === 'wav') expect(await transcriptOf(audio, 'a.wav')).toBe(TEXT);
    else expect(audio.byteLength).toBeGreaterThan(1_000);
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

it('the AI SDK receives speech', async () => {
  const vendor = createOpenAI({ apiKey: KEY, baseURL: stack.baseUrl });
  const { audio } = await generateSpeech({
    model: vendor.speech('gpt-4o-mini-tts'),
    text: TEXT,
    voice: 'nova',
    speed: 2,
  });
  expect(await transcriptOf(Uint8Array.from(audio.uint8Array).buffer, 'a.mp3')).toBe(TEXT);
});
