import type { Frame } from '../media/frame-of-area.ts';

/** Sizes for `1K` (ai.google.dev, "Image generation", "Aspect ratios and image size"). */
const FRAMES = new Map<string, Frame>([
  ['1:1', { width: 1024, height: 1024 }],
  ['2:3', { width: 832, height: 1248 }],
  ['3:2', { width: 1248, height: 832 }],
  ['3:4', { width: 864, height: 1184 }],
  ['4:3', { width: 1184, height: 864 }],
  ['4:5', { width: 896, height: 1152 }],
  ['5:4', { width: 1152, height: 896 }],
  ['9:16', { width: 768, height: 1344 }],
  ['16:9', { width: 1344, height: 768 }],
  ['21:9', { width: 1536, height: 672 }],
]);

/** Scale factors. The vendor accepts only an upper-case K. */
const SIZES = new Map([
  ['1K', 1],
  ['2K', 2],
  ['4K', 4],
]);

export const ASPECT_RATIOS = [...FRAMES.keys()];
export const IMAGE_SIZES = [...SIZES.keys()];

export function imageFrame(aspectRatio: string, imageSize: string): Frame | undefined {
  const [frame, scale] = [FRAMES.get(aspectRatio), SIZES.get(imageSize)];
  if (frame === undefined || scale === undefined) return undefined;
  return { width: frame.width * scale, height: frame.height * scale };
}
