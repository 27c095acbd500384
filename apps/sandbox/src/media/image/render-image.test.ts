import { describe, expect, it } from 'vitest';
import { measureImage } from './measure-image.ts';
import { renderImage } from './render-image.ts';

const kite = { prompt: 'kite', width: 64, height: 48 };

describe('renderImage', () => {
  it('renders a PNG of the requested size', () => {
    expect(measureImage(renderImage(kite))).toEqual({ mediaType: 'image/png', width: 64, height: 48 });
  });

  it('renders equal bytes for equal specs, and different bytes for different specs', () => {
    expect(renderImage(kite)).toEqual(renderImage(kite));
    expect(renderImage({ ...kite, prompt: 'boat' })).not.toEqual(renderImage(kite));
  });

  it('handles the smallest size', () => {
    expect(measureImage(renderImage({ prompt: '', width: 1, height: 1 }))).toMatchObject({ width: 1, height: 1 });
  });
});
