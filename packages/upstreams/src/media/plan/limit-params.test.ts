import {
  type ImageRole,
  type InputImage,
  type MediaLoss,
  UnsupportedParamsError,
  type VideoRequest,
} from '@sluice/canonical';
import { fullSeconds, megabytes } from '@sluice/vendors';
import { describe, expect, it } from 'vitest';
import {
  countOf,
  dropFields,
  limitImageFiles,
  limitImages,
  limitText,
  promptBesideImages,
  promptOf,
  refuseRemix,
  requireImages,
  secondsOf,
  fullSecondsOf,
} from './limit-params.ts';

function withLosses<T>(run: (report: (loss: MediaLoss) => void) => T): [T, string[]] {
  const losses: string[] = [];
  return [run(({ field, how }) => void losses.push(`${field} ${how}`)), losses];
}
const imageInputs = (...roles: ImageRole[]): InputImage[] =>
  roles.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } }));
const stored = (mediaType: string, bytes = 1, role: ImageRole = 'reference'): InputImage => ({
  role,
  source: { kind: 'stored', key: 'k', mediaType, filename: 'a', bytes },
});
const params = (more: Partial<VideoRequest>): VideoRequest => ({ kind: 'video', images: [], ...more });
const refusal = (field: string) => expect.objectContaining({ field, name: UnsupportedParamsError.name });

describe('duration', () => {
  it.each([
    [undefined, 5, []],
    ['10', 10, []],
    ['5.0', 5, []],
    ['1', 4, ['seconds clamped']],
    ['99', 10, ['seconds clamped']],
    ['4.4', 4, ['seconds clamped']],
    ['7.5', 10, ['seconds clamped']],
  ])('%s seconds become %i', (seconds, expected, losses) => {
    const request = seconds === undefined ? {} : { seconds };
    expect(withLosses((report) => secondsOf(request, [4, 5, 10], 5, report))).toEqual([expected, losses]);
  });

  it.each([
    [undefined, undefined, []],
    ['8', 8, []],
    ['7.5', 8, ['seconds clamped']],
    ['0.2', 1, ['seconds clamped']],
  ])('%s seconds become %s full seconds', (seconds, expected, losses) => {
    expect(withLosses((report) => fullSecondsOf(seconds === undefined ? {} : { seconds }, report))).toEqual([
      expected,
      losses,
    ]);
  });

  it('may be any of a range', () => {
    expect(fullSeconds(3, 6)).toEqual([3, 4, 5, 6]);
  });
});

it.each([
  [undefined, 1, []],
  [3, 3, []],
  [10, 4, ['n clamped']],
])('%s images become %i', (n, expected, losses) => {
  expect(withLosses((report) => countOf(n === undefined ? {} : { n }, 4, report))).toEqual([expected, losses]);
});

it('drops unsupported fields, even if zero or false', () => {
  const request = params({ seed: 0, audio: false, fps: 24 });
  expect(withLosses((report) => dropFields(request, ['seed', 'audio', 'watermark'], report))[1]).toEqual([
    'seed dropped',
    'audio dropped',
  ]);
});

describe('images', () => {
  it('are limited for each role', () => {
    const images = imageInputs('first_frame', 'reference', 'reference');
    expect(() => limitImages(images, { first_frame: 1, reference: 2 })).not.toThrow();
    expect(() => limitImages(images, { first_frame: 1, reference: 1 })).toThrow(refusal('reference'));
    expect(() => limitImages(images, { reference: 2 })).toThrow(refusal('firstFrame'));
    expect(() => limitImages(imageInputs('mask'), {})).toThrow(refusal('mask'));
  });

  const limits = { mediaTypes: ['image/jpeg', 'image/png'], maxBytes: megabytes(4.7), maxTogether: megabytes(6) };
  const limited = (...images: InputImage[]) => limitImages(images, { reference: 9, first_frame: 1 }, limits);

  it('at hand are checked by type', () => {
    for (const type of ['image/png', 'image/jpeg', 'image/jpg', 'IMAGE/PNG', '', 'application/octet-stream']) {
      expect(() => limited(stored(type))).not.toThrow();
    }
    expect(() => limited(stored('image/webp'))).toThrow(refusal('reference'));
    expect(() => limited(stored('image/webp'))).toThrow(/must be JPEG or PNG for this model/);
    expect(() => limited(stored('image/gif', 1, 'first_frame'))).toThrow(refusal('firstFrame'));
  });

  it('at hand are checked by size, each and together', () => {
    expect(() => limited(stored('image/png', megabytes(4.7)))).not.toThrow();
    expect(() => limited(stored('image/png', megabytes(4.7) + 1))).toThrow(/at most 4.7 MB/);
    expect(() => limited(stored('image/png', megabytes(3)), stored('image/png', megabytes(3)))).not.toThrow();
    expect(() => limited(stored('image/png', megabytes(3)), stored('image/png', megabytes(3) + 1))).toThrow(/6 MB/);
  });

  it('at URLs are unknown until opened', () => {
    expect(() => limited(...imageInputs('reference'))).not.toThrow();
    const opened = { role: 'reference', mediaType: 'image/webp', bytes: 1 } as const;
    expect(() => limitImageFiles([opened], limits)).toThrow(refusal('reference'));
  });

  it('may be required', () => {
    expect(() => requireImages(imageInputs('first_frame', 'last_frame'), ['first_frame'])).not.toThrow();
    expect(() => requireImages(imageInputs('first_frame'), ['first_frame', 'last_frame'])).toThrow(
      refusal('lastFrame'),
    );
  });
});

describe('text', () => {
  it('may be absent or as long as the limit', () => {
    expect(() => limitText('negativePrompt', undefined, 3)).not.toThrow();
    expect(() => limitText('negativePrompt', 'abc', 3)).not.toThrow();
    expect(() => limitText('negativePrompt', 'abcd', 3)).toThrow(refusal('negativePrompt'));
  });

  it('that is the prompt is required', () => {
    expect(promptOf(params({ prompt: 'abc' }), 3)).toBe('abc');
    for (const prompt of [undefined, '', ' \n', 'abcd']) {
      expect(() => promptOf(params(prompt === undefined ? {} : { prompt }), 3)).toThrow(refusal('prompt'));
    }
  });

  it('that is the prompt is optional with an image', () => {
    const images = imageInputs('first_frame');
    expect(promptBesideImages(params({ images }), 3)).toBeUndefined();
    expect(promptBesideImages(params({ images, prompt: '' }), 3)).toBeUndefined();
    expect(promptBesideImages(params({ images, prompt: 'abc' }), 3)).toBe('abc');
    expect(() => promptBesideImages(params({ images, prompt: 'abcd' }), 3)).toThrow(refusal('prompt'));
    expect(() => promptBesideImages(params({}), 3)).toThrow(refusal('prompt'));
  });
});

it('refuses a variation of a video', () => {
  expect(() => refuseRemix(params({}))).not.toThrow();
  expect(() => refuseRemix(params({ remix: { taskId: 'a', upstreamId: 'b' } }))).toThrow(refusal('remix'));
});
