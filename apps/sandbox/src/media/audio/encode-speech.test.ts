import { describe, expect, it } from 'vitest';
import { createSpeech, SAMPLE_RATE } from './create-speech.ts';
import { encodeSpeech, type SoundFormat } from './encode-speech.ts';
import { hiddenText } from './hidden-text.ts';
import { createAudioReader, inspectAudio } from './audio-reader.ts';

const FORMATS = [
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
  ['flac', 'audio/flac'],
] as const;
const all = (text: string, format: SoundFormat, speed = 1, min = 0) =>
  Buffer.concat([...encodeSpeech(createSpeech(text, speed, min), format)]);

describe.each(FORMATS)('a %s', (format, mediaType) => {
  it('contains its text, in any script and at any speed', () => {
    for (const text of ['The kite flies.', '你好 🌍', 'x', 'ab '.repeat(300)]) {
      for (const speed of [0.25, 1, 4]) {
        expect(inspectAudio(all(text, format, speed))).toMatchObject({ mediaType, text });
      }
    }
  });

  it('lasts in proportion to its text', () => {
    const [short, long, fast] = [
      all('a'.repeat(50), format),
      all('a'.repeat(100), format),
      all('a'.repeat(100), format, 2),
    ].map((file) => inspectAudio(file)?.seconds ?? 0);
    expect(short).toBeCloseTo(2, 1);
    expect(long).toBeCloseTo(4, 1);
    expect(fast).toBeCloseTo(2, 1);
  });

  it('grows to the requested size', () => {
    const { length } = all('kite', format, 1, 1_000_000);
    expect(length).toBeGreaterThanOrEqual(1_000_000);
    expect(length).toBeLessThan(1_020_000);
  });

  it('is read the same for any chunk size', () => {
    const file = all('The kite flies.', format);
    const reader = createAudioReader();
    for (let at = 0; at < file.length; at += 7) reader.push(file.subarray(at, at + 7));
    expect(reader.recorded()).toEqual(inspectAudio(file));
  });
});

it('also contains its text in raw samples', () => {
  const pcm = all('The kite flies.', 'pcm');
  expect(hiddenText(pcm)).toBe('The kite flies.');
  expect(pcm.length / 2 / SAMPLE_RATE).toBeCloseTo(0.6, 2);
  expect(hiddenText(pcm.subarray(0, 300))).toBeUndefined();
  expect(hiddenText(Buffer.alloc(10_000))).toBeUndefined();
});

it('encodes FLAC with valid frame checksums', () => {
  const file = all('kite '.repeat(100), 'flac');
  const starts: number[] = [];
  for (let at = file.indexOf(Buffer.from([0xff, 0xf8, 0x77, 0x08])); at !== -1;) {
    starts.push(at);
    at = file.indexOf(Buffer.from([0xff, 0xf8, 0x77, 0x08]), at + 4096);
  }
  expect(starts.length).toBe(Math.ceil(createSpeech('kite '.repeat(100)).samples / 4096));
  for (const [index, start] of starts.entries()) {
    let sum = 0;
    for (const byte of file.subarray(start, starts[index + 1])) {
      sum ^= byte << 8;
      for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x8005 : 0)) & 0xffff;
    }
    expect(sum).toBe(0);
  }
});

it('detects other audio by its first bytes and rejects everything else', () => {
  const kinds = ['OggS', '\0\0\0\u0020ftypM4A ', '\u001aE\u00df\u00a3', '\u00ff\u00f3\u0090\0'];
  expect(kinds.map((kind) => inspectAudio(Buffer.from(kind, 'latin1'))?.mediaType)).toEqual([
    'audio/ogg',
    'audio/mp4',
    'audio/webm',
    'audio/mpeg',
  ]);
  for (const other of ['', 'hello', '\u00ff\u00f1\u0050'])
    expect(inspectAudio(Buffer.from(other, 'latin1'))).toBeUndefined();
});

it('measures a stream whose header has no length', () => {
  const file = all('a'.repeat(100), 'wav');
  file.writeUInt32LE(2 ** 32 - 1, 40);
  expect(inspectAudio(file)).toMatchObject({ seconds: 4, text: 'a'.repeat(100) });
});
