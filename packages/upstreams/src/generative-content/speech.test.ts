import type { Loss, SpeechParams } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { geminiSpeech } from './speech.ts';

const params = (more: Partial<SpeechParams> = {}): SpeechParams => ({
  input: 'kite',
  voice: 'Kore',
  format: 'wav',
  asEvents: false,
  foreign: { protocol: 'openai', fields: {} },
  ...more,
});

function read(body: unknown, request: SpeechParams) {
  return geminiSpeech.read(body, request, { model: 'tts' });
}

function requestFor(more: Partial<SpeechParams>) {
  const losses: Loss[] = [];
  const request = geminiSpeech.request(params(more), { model: 'tts', report: (loss) => losses.push(loss) });
  return { request, losses };
}

const response = (bytes: string, mimeType = 'audio/L16;codec=pcm;rate=24000') => ({
  candidates: [
    {
      content: { parts: [{ inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') } }] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 40 },
});

it('requests a voice of Gemini', () => {
  const { request, losses } = requestFor({});
  expect(losses).toEqual([]);
  expect(request).toEqual({
    path: '/models/tts:generateContent',
    json: {
      contents: [{ role: 'user', parts: [{ text: 'kite' }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    },
  });
});

it('reports replaced and dropped fields', () => {
  const fields = { pitch: 1 };
  const { request, losses } = requestFor({
    voice: 'Alloy',
    instructions: 'Say it gladly.',
    speed: 2,
    foreign: { protocol: 'openai', fields },
  });
  expect(losses).toEqual([
    { field: 'voice', how: 'replaced' },
    { field: 'instructions', how: 'replaced' },
    { field: 'speed', how: 'dropped' },
    { field: 'pitch', how: 'dropped' },
  ]);
  expect(JSON.stringify(request)).toContain('Say it gladly:\\nkite');
});

it.each([
  ['mp3', { format: 'mp3' as const }, 'response_format'],
  ['no format, which is mp3', { format: undefined }, 'response_format'],
  ['a voice of one’s own', { voice: { id: 'v' } }, 'voice'],
])('refuses %s', (_what, more, param) => {
  const { format, ...rest } = { ...params(), ...more };
  const refused = { ...rest, ...(format && { format }) };
  expect(() => geminiSpeech.request(refused, { model: 'tts', report: () => undefined })).toThrow(
    expect.objectContaining({ code: 'unsupported_parameter', param }),
  );
});

it('returns a file with a header for wav, and raw samples for pcm', async () => {
  const wav = read(response('1234'), params());
  expect(wav).toMatchObject({ mediaType: 'audio/wav', usage: { inputTokens: 3, outputTokens: 40 } });
  const file = Buffer.from((await wav?.body.collect(1_000)) ?? []);
  expect([file.byteLength, file.toString('latin1', 0, 4), file.toString('latin1', 44)]).toEqual([48, 'RIFF', '1234']);
  const pcm = read(response('1234'), params({ format: 'pcm' }));
  expect([pcm?.kind === 'audio' && pcm.mediaType, Buffer.from((await pcm?.body.collect(9)) ?? []).toString()]).toEqual([
    'audio/pcm',
    '1234',
  ]);
});

it('reports missing audio, and filtered audio', () => {
  expect(read(response(''), params())).toBeUndefined();
  expect(read(response('1234', 'image/png'), params())).toBeUndefined();
  expect(read({}, params())).toBeUndefined();
  const blocked = { promptFeedback: { blockReason: 'SAFETY' } };
  expect(() => read(blocked, params())).toThrow(
    expect.objectContaining({ error: expect.objectContaining({ code: 'content_policy' }) }),
  );
});
