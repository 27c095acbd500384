import { describe, expect, it } from 'vitest';
import { renderImage } from '../../media/image/render-image.ts';
import { type ImageRules, readImage } from './read-image.ts';

const rules: ImageRules = {
  encodings: ['data-url'],
  schemes: ['oss://'],
  types: ['image/png'],
  maxBytes: 1024 ** 2,
  minSide: 100,
  maxSide: 400,
  maxRatio: 2.5,
};

function base64(width: number, height: number): string {
  return renderImage({ prompt: 'kite', width, height }).toString('base64');
}

function url(width: number, height: number): string {
  return `data:image/png;base64,${base64(width, height)}`;
}

describe('readImage', () => {
  it('measures a data URL', () => {
    expect(readImage('image', url(250, 100), rules)).toEqual({
      input: { field: 'image', mediaType: 'image/png', bytes: expect.any(Number), sha256: expect.any(String) },
      facts: { mediaType: 'image/png', width: 250, height: 100 },
    });
  });

  it.each(['https://example.com/a.png', 'HTTP://example.com/a', 'oss://bucket/a.png'])(
    'records only %s',
    (reference) => {
      expect(readImage('image', reference, rules)).toEqual({ input: { field: 'image', reference } });
    },
  );

  it('accepts bare base64 only where the vendor does', () => {
    expect(readImage('image', base64(100, 100), rules)).toHaveProperty('problem');
    const both: ImageRules = { ...rules, encodings: ['data-url', 'base64'] };
    expect(readImage('image', base64(100, 100), both)).toHaveProperty('facts.width', 100);
    expect(readImage('image', url(100, 100), both)).toHaveProperty('facts.width', 100);
    expect(readImage('image', url(100, 100), { ...rules, encodings: ['base64'] })).toHaveProperty('problem');
  });

  it.each([
    ['nothing', '', 'neither'],
    ['text', 'a kite', 'neither'],
    ['another address', 'ftp://example.com/a.png', 'neither'],
    ['a broken address', 'https://', 'neither'],
    ['a video', `data:video/mp4;base64,${base64(100, 100)}`, 'neither'],
    ['broken base64', `${url(100, 100)}!`, 'neither'],
    ['base64 of text', `data:image/png;base64,${Buffer.from('kite').toString('base64')}`, 'no image'],
    [
      'another kind',
      `data:image/png;base64,${Buffer.from('GIF89a\u0064\u0000\u0064\u0000').toString('base64')}`,
      'no image',
    ],
    ['a large file', `data:image/png;base64,${Buffer.alloc(1024 ** 2 + 1).toString('base64')}`, 'larger than 1 MB'],
    ['a small image', url(99, 100), 'less than 100'],
    ['a large image', url(401, 400), 'more than 400'],
    ['a wide image', url(252, 100), '1:2.5'],
    ['a tall image', url(100, 252), '1:2.5'],
  ])('rejects %s', (_name, value, problem) => {
    expect(readImage('image', value, rules)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
