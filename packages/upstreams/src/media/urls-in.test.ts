import fc from 'fast-check';
import { expect, it } from 'vitest';
import { urlsIn, videoAmong } from './urls-in.ts';

const A = 'https://files.example/a.mp4';
const B = 'https://files.example/b.png';

it.each([
  [A, [A]],
  [
    [A, B],
    [A, B],
  ],
  [{ video: A }, [A]],
  [{ thumbnail: B, video: A }, [A]],
  [{ result: A }, [A]],
  [{ images: [{ url: B }, { url: A }] }, [B, A]],
  [{ output: { video: { url: A } } }, [A]],
  [[null, B, 7, 'words'], [B]],
  ['some words', []],
  ['file:///etc/passwd', []],
  ['data:image/png;base64,QQ==', []],
  ['https://', []],
  [{ a: { b: { c: { d: { e: A } } } } }, []],
  [null, []],
  [7, []],
])('%o contains %j', (output, urls) => {
  expect(urlsIn(output)).toEqual(urls);
});

it('reads any output', () => {
  fc.assert(fc.property(fc.anything(), (value) => Array.isArray(urlsIn(value))));
});

it('distinguishes a video from its poster', () => {
  expect(videoAmong([B, `${A}?sig=1`])).toBe(`${A}?sig=1`);
  expect(videoAmong([B])).toBe(B);
  expect(videoAmong([])).toBeUndefined();
});
