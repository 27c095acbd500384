import { expect, it } from 'vitest';
import { isGoogleFile, isGoogleUri, mediaKind } from './media-kind.ts';

it.each([
  ['image/png', '', 'image'],
  ['audio/wav', '', 'audio'],
  ['video/mp4', '', 'video'],
  ['application/pdf', '', 'document'],
  [undefined, 'https://youtu.be/x', 'video'],
  [undefined, 'https://example.com/a.JPG?x=1', 'image'],
  [undefined, 'https://example.com/a.mp3', 'audio'],
  [undefined, 'https://example.com/a', 'document'],
] as const)('classifies media of type %s at %s as %s', (mediaType, url, kind) => {
  expect(mediaKind(mediaType, url)).toBe(kind);
});

it.each([
  ['gs://bucket/a.png', true],
  ['https://generativelanguage.googleapis.com/v1beta/files/abc', true],
  ['https://storage.googleapis.com/b/a.png', true],
  ['https://www.youtube.com/watch?v=x', true],
  ['https://youtube.com.evil.example/x', false],
  ['https://evilgoogleapis.com/x', false],
  ['https://example.com/storage.googleapis.com', false],
  ['not a URL', false],
])('reports whether Gemini can fetch %s: %s', (url, isFetchable) => {
  expect(isGoogleUri(url)).toBe(isFetchable);
});

it('distinguishes files of an account from files on the web', () => {
  expect(isGoogleFile('https://generativelanguage.googleapis.com/v1beta/files/abc')).toBe(true);
  expect(isGoogleFile('files/abc')).toBe(true);
  expect(isGoogleFile('https://www.youtube.com/watch?v=x')).toBe(false);
});
