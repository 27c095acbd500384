import { GoogleGenAI, type Part } from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function generate(parts: Part[], config: object = {}) {
  const client = new GoogleGenAI({ apiKey: 'sk-sandbox', httpOptions: { baseUrl: sandbox.url } });
  const contents = [{ role: 'user', parts }];
  return client.models.generateContent({ model: 'gemini-2.5-flash', contents, config });
}

describe('@google/genai', () => {
  it.each<[string, object]>([
    ['audioTranscription', { audioTranscription: { text: 'hello' } }],
    ['mediaProcessing', { mediaProcessing: 'MEDIA_PROCESSING_UNSPECIFIED' }],
    ['speechMetadata', { speechMetadata: { speaker: 'one' } }],
    ['mediaResolution', { mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } }],
  ])('sends %s in a part', async (_, more) => {
    expect((await generate([{ text: 'hi', ...more }])).text).toBe('You said: hi');
  });

  it.each<[string, object]>([
    ['audioTranscriptionConfig', { audioTranscriptionConfig: {} }],
    ['speechConfig.voiceConfig.voice', { speechConfig: { voiceConfig: { voice: 'Kore' } } }],
    ['thinkingConfig', { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } }],
    ['serviceTier', { serviceTier: 'flex' }],
    ['labels', { labels: { team: 'one' } }],
  ])('sends config.%s', async (_, config) => {
    expect((await generate([{ text: 'hi' }], config)).text).toBe('You said: hi');
  });
});
