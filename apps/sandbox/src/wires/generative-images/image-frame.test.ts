import { describe, expect, it } from 'vitest';
import { ASPECT_RATIOS, IMAGE_SIZES, imageFrame } from './image-frame.ts';

describe('imageFrame', () => {
  it('has a frame of about the right ratio for each ratio and size', () => {
    expect(imageFrame('16:9', '2K')).toEqual({ width: 2688, height: 1536 });
    for (const ratio of ASPECT_RATIOS) {
      const [across = 0, down = 1] = ratio.split(':').map(Number);
      for (const size of IMAGE_SIZES) {
        const { width, height } = imageFrame(ratio, size) ?? { width: 0, height: 1 };
        expect(width / height, `${ratio} ${size}`).toBeCloseTo(across / down, 0.9);
        expect(width * height, `${ratio} ${size}`).toBeGreaterThan((Number.parseInt(size, 10) * 990) ** 2);
      }
    }
  });

  it.each([
    ['5:3', '1K'],
    ['1:1', '2k'],
    ['1:1', '8K'],
    ['toString', '1K'],
  ])('has none for %s at %s', (ratio, size) => {
    expect(imageFrame(ratio, size)).toBeUndefined();
  });
});
