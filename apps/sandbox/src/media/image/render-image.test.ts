import { describe, expect, it } from 'vitest';
import { measureImage } from './measure-image.ts';
import { renderImage } from './render-image.ts';

const kite = { prompt: 'kite', width: 64, height: 48 };

describe('renderPicture', () => {
  it('makes a PNG of the size that was asked for', () => {
    expect(measureImage(renderImage(kite))).toEqual({ mediaType: 'image/png', width: 64, height: 48 });
  });

  it('makes the same bytes of the same wish, and others of another', () => {
    expect(renderImage(kite)).toEqual(renderImage(kite));
    expect(renderImage({ ...kite, prompt: 'boat' })).not.toEqual(renderImage(kite));
  });

  it('copes with the smallest size', () => {
    expect(measureImage(renderImage({ prompt: '', width: 1, height: 1 }))).toMatchObject({ width: 1, height: 1 });
  });
});
