import type { Frame } from '../media/frame-of-area.ts';

const AUTO: Frame = { width: 1024, height: 1024 };

/** Parses `auto` or a size such as `1536x864`. */
export function readSize(size: string): Frame | undefined {
  if (size === 'auto') return AUTO;
  const [, width = 0, height = 0] = /^([1-9]\d{1,3})x([1-9]\d{1,3})$/.exec(size)?.map(Number) ?? [];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/**
 * Checks a size for GPT Image 2 and later (openai 7.55.0, `ImageGenerateParams.size`): both sides divisible by 16, a
 * ratio from 1:3 to 3:1, and at most 3840x2160.
 */
export function freeSizeProblem(size: string): string | undefined {
  const frame = readSize(size);
  if (frame === undefined) return 'Expected WIDTHxHEIGHT or auto.';
  if (size === 'auto') return undefined;
  const { width, height } = frame;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (width % 16 !== 0 || height % 16 !== 0) return 'Width and height must both be divisible by 16.';
  if (long > 3 * short) return 'The aspect ratio must be between 1:3 and 3:1.';
  return long > 3840 || width * height > 3840 * 2160 ? 'The maximum supported resolution is 3840x2160.' : undefined;
}
