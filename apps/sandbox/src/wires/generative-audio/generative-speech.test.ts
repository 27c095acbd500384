import { createGoogle } from '@ai-sdk/google';
import { ApiError, GoogleGenAI } from '@google/genai';
import { generateSpeech } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { createSpeech } from '../../media/audio/create-speech.ts';
import { encodeSpeech, type SoundFormat } from '../../media/audio/encode-speech.ts';
import { hiddenText } from '../../media/audio/hidden-text.ts';
import { inspectAudio } from '../../media/audio/audio-reader.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const TTS = 'gemini-2.5-flash-preview-tts';
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const call = wireCaller(() => sandbox.url, { 'x-goog-api-key': 'sk-sandbox' });
const voice = (voiceName: string) => ({ voiceConfig: { prebuiltVoiceConfig: { voiceName } } });
const good = {
  contents: [{ parts: [{ text: 'Say cheerfully: the kite flies!' }] }],
  generationConfig: { responseModalities: ['AUDIO'], speechConfig: voice('Kore') },
};
const request = (more: object = {}, model = TTS, verb = 'generateContent') =>
  call('POST', `/v1beta/models/${model}:${verb}`, { ...good, ...more });
const config = (more: object) => ({ generationConfig: { ...good.generationConfig, ...more } });
const sound = (text: string, format: SoundFormat) =>
  Buffer.concat([...encodeSpeech(createSpeech(text), format)]).toString('base64');
const client = () => new GoogleGenAI({ apiKey: 'sk-sandbox', httpOptions: { baseUrl: sandbox.url } });

describe('speech', () => {
  it.each([TTS, 'any-model'])('of %s is one part of samples that contains the text', async (model) => {
    const { body } = await request({}, model);
    expect(body).toMatchObject({
      candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{}] } }],
      usageMetadata: {
        promptTokenCount: 5,
        candidatesTokenCount: 31,
        totalTokenCount: 36,
        candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 31 }],
      },
    });
    expect(at(body, 'candidates.0.content.parts.0.inlineData.mimeType')).toBe('audio/L16;codec=pcm;rate=24000');
    const data = String(at(body, 'candidates.0.content.parts.0.inlineData.data'));
    expect(hiddenText(Buffer.from(data, 'base64'))).toBe('Say cheerfully: the kite flies!');
  });

  it.each<[object, string, string]>([
    [config({ responseModalities: undefined }), TTS, '(TEXT) is not supported by the model'],
    [config({ responseModalities: ['TEXT', 'AUDIO'] }), TTS, '(TEXT, AUDIO) is not supported by the model'],
    [{}, 'gemini-2.5-flash', '(AUDIO) is not supported by the model'],
    [config({ speechConfig: voice('Bob') }), TTS, 'Voice name Bob is not supported.'],
    [config({ speechConfig: { voice: 'Kore' } }), TTS, `Unknown name "voice" at 'generation_config.speech_config'`],
    [config({ speechConfig: { multiSpeakerVoiceConfig: {} } }), TTS, 'The number of enabled_voices must equal 2.'],
    [config({ candidateCount: 2 }), TTS, 'Multiple candidates is not enabled'],
    [{ tools: [{ functionDeclarations: [{ name: 'w' }] }] }, TTS, 'Function calling is not enabled'],
    [{ systemInstruction: { parts: [{ text: 'x' }] } }, TTS, 'Developer instruction is not enabled'],
    [{ contents: [{ parts: [{ text: ' ' }] }] }, TTS, 'should only be used for TTS'],
  ])('rejects %j of %s', async (more, model, message) => {
    const { status, body } = await request(more, model);
    expect(status).toBe(400);
    expect(at(body, 'error.message')).toContain(message);
  });

  it('fails as directives require', async () => {
    expect((await request({ contents: [{ parts: [{ text: '[overloaded]' }] }] })).status).toBe(503);
  });

  it('works with @google/genai, buffered and streamed', async () => {
    const params = { model: TTS, contents: 'The kite flies, and it flies on.', config: { ...good.generationConfig } };
    const buffered = await client().models.generateContent(params);
    expect(hiddenText(Buffer.from(buffered.data ?? '', 'base64'))).toBe(params.contents);
    const chunks: Buffer[] = [];
    let tokens: number | undefined;
    for await (const chunk of await client().models.generateContentStream(params)) {
      chunks.push(Buffer.from(chunk.data ?? '', 'base64'));
      tokens = chunk.usageMetadata?.candidatesTokenCount;
    }
    expect(chunks.length).toBeGreaterThan(3);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(buffered.data ?? '', 'base64'));
    expect(tokens).toBe(buffered.usageMetadata?.candidatesTokenCount);
    const refused = client().models.generateContent({
      ...params,
      config: { ...params.config, speechConfig: voice('Bob') },
    });
    await expect(refused).rejects.toBeInstanceOf(ApiError);
  });

  it('works with the AI SDK', async () => {
    const google = createGoogle({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1beta` });
    const { audio } = await generateSpeech({ model: google.speech(TTS), text: 'hello', voice: 'Puck' });
    expect(inspectAudio(Buffer.from(audio.uint8Array))?.text).toBe('hello');
  });
});

describe('audio in a conversation', () => {
  const pcm = createSpeech('The kite flies.');
  it.each([
    ['audio/wav', sound('The kite flies.', 'wav')],
    ['audio/mp3', sound('The kite flies.', 'mp3')],
    ['audio/flac', sound('The kite flies.', 'flac')],
    ['audio/L16;codec=pcm;rate=24000', Buffer.concat([...pcm.chunks()]).toString('base64')],
  ])('of %s is transcribed if the text requests it', async (mimeType, data) => {
    for (const text of ['Generate a transcript of the speech.', 'Translate this into English.']) {
      const contents = [{ text }, { inlineData: { mimeType, data } }];
      const response = await client().models.generateContent({ model: 'gemini-2.5-flash', contents });
      expect(response.text).toBe('The kite flies.');
    }
  });

  it('is described if it has no hidden text, and ignored if no text requests it', async () => {
    const inlineData = { mimeType: 'audio/ogg', data: Buffer.from('OggS----').toString('base64') };
    const replyTo = async (text: string) =>
      (await client().models.generateContent({ model: 'm', contents: [{ text }, { inlineData }] })).text;
    expect(await replyTo('transcribe')).toBe('(8 bytes of audio/ogg)');
    expect(await replyTo('hello')).toBe('You said: hello');
  });

  it('is rejected above 20 MB', async () => {
    const parts = [11, 10].map((size) => ({
      inlineData: { mimeType: 'audio/wav', data: Buffer.alloc(size * 1024 ** 2).toString('base64') },
    }));
    const response = await call('POST', '/v1beta/models/m:generateContent', { contents: [{ parts }] });
    expect(response.status).toBe(400);
    expect(at(response.body, 'error.message')).toBe('Request payload size exceeds the limit: 20971520 bytes.');
  });
});
