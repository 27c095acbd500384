import { describe, expect, it } from 'vitest';
import { measurePicture } from './measure-picture.ts';
import { renderPicture } from './render-picture.ts';

const kite = { prompt: 'kite', width: 64, height: 48 };

describe('renderPicture', () => {
  it('makes a PNG of the size that was asked for', () => {
    expect(measurePicture(renderPicture(kite))).toEqual({ mediaType: 'image/png', width: 64, height: 48 });
  });

  it('makes the same bytes of the same wish, and others of another', () => {
    expect(renderPicture(kite)).toEqual(renderPicture(kite));
    expect(renderPicture({ ...kite, prompt: 'boat' })).not.toEqual(renderPicture(kite));
  });

  it('copes with the smallest size', () => {
    expect(measurePicture(renderPicture({ prompt: '', width: 1, height: 1 }))).toMatchObject({ width: 1, height: 1 });
  });
});
