import fc from 'fast-check';
import { expect, it } from 'vitest';
import { audioType } from './audio-type.ts';
import { base64Of } from './base64-stream.ts';
import { pcmRate, wavHeader } from './pcm.ts';

it('encodes chunks of any size as one base64 text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array()), async (chunks) => {
      async function* source() {
        yield* chunks;
      }
      let text = '';
      for await (const chunk of base64Of(source())) text += Buffer.from(chunk).toString('latin1');
      expect(text).toBe(Buffer.concat(chunks).toString('base64'));
    }),
  );
});

it.each([
  ['a.wav', 'application/octet-stream', 'audio/wav'],
  ['A.MP3', '', 'audio/mp3'],
  ['a.bin', 'audio/x-m4a', 'audio/mp4'],
  ['clip.webm', 'video/webm', 'video/webm'],
  ['a', 'application/octet-stream', undefined],
  ['a.exe', 'audio/"', undefined],
])('decodes %s of type %j as %s', (filename, mediaType, type) => {
  expect(audioType({ filename, mediaType })).toBe(type);
});

it.each([
  ['audio/L16;codec=pcm;rate=24000', 24_000],
  ['audio/l16; rate=16000', 16_000],
  ['audio/pcm', 24_000],
  ['audio/wav', undefined],
])('reads from %s a rate of %s samples per second', (mediaType, rate) => {
  expect(pcmRate(mediaType)).toBe(rate);
});

it('writes a WAV header with the number of samples and their rate', () => {
  const header = wavHeader(480, 24_000);
  expect([header.readUInt32LE(4), header.readUInt32LE(24), header.readUInt32LE(28), header.readUInt32LE(40)]).toEqual([
    516, 24_000, 48_000, 480,
  ]);
});
