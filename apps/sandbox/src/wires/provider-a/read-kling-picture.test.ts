import { describe, expect, it } from 'vitest';
import { renderPicture } from '../../media/picture/render-picture.ts';
import { readKlingPicture } from './read-kling-picture.ts';

function png(width: number, height: number): string {
  return renderPicture({ prompt: 'kite', width, height }).toString('base64');
}

describe('readKlingPicture', () => {
  it('measures base64, and only notes a URL', () => {
    const { input, facts } = readKlingPicture('image', png(750, 300));
    expect(input).toMatchObject({ field: 'image', mediaType: 'image/png', sha256: expect.any(String) });
    expect(facts).toEqual({ mediaType: 'image/png', width: 750, height: 300 });
    const reference = 'https://example.com/a.png';
    expect(readKlingPicture('image', reference)).toEqual({ input: { field: 'image', reference } });
  });

  it.each([
    ['a data URL', `data:image/png;base64,${png(300, 300)}`, 'data: prefix'],
    ['text', 'a kite', 'base64'],
    ['base64 of no picture', Buffer.from('a kite').toString('base64'), 'no JPEG or PNG'],
    ['a small picture', png(299, 300), '300px'],
    ['a wide picture', png(752, 300), 'ratio'],
    ['a tall picture', png(300, 752), 'ratio'],
    ['a large file', Buffer.alloc(10 * 1024 ** 2 + 1).toString('base64'), '10MB'],
  ])('refuses %s', (_name, value, problem) => {
    expect(() => readKlingPicture('image_tail', value)).toThrow(problem);
  });
});
