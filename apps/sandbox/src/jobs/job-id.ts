import { createHash } from 'node:crypto';
import type { Wire } from './wire.ts';

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** 19 digits without a leading 0: more than a JavaScript number can hold. */
function digits(hex: string): string {
  return (10n ** 18n + (BigInt(`0x${hex.slice(0, 16)}`) % (9n * 10n ** 18n))).toString();
}

const VEO_LENGTH = 24;

/**
 * An id in the vendor's format.
 * @param unique an unguessable id; everything but the time derives from it.
 * @param now Unix milliseconds.
 */
export function jobIdFor(wire: Wire, unique: string, now: number): string {
  const hex = createHash('sha256').update(unique).digest('hex');
  switch (wire) {
    case 'videos':
      return `video_${unique}`;
    case 'provider-a':
    case 'provider-b':
    case 'minimax':
    case 'vidu':
      return digits(hex);
    case 'ark':
      return `cgt-${new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14)}-${hex.slice(0, 5)}`;
    case 'veo':
      return hex.slice(0, VEO_LENGTH);
    case 'dashscope':
    case 'runway':
    case 'fal':
    case 'replicate':
    case 'images':
    case 'generative-images':
      return dashed(hex);
  }
}
