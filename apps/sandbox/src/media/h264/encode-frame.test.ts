import { describe, expect, it } from 'vitest';
import { encodeDeltaFrame, encodeKeyFrame } from './encode-frame.ts';
import { frameSize } from './frame-size.ts';

const size = frameSize(64, 32);
const PCM_BYTES = 384;
const paint = (index: number, samples: Uint8Array): Uint8Array => samples.fill(100 + index);

describe('encodeKeyFrame', () => {
  it('contains the exact samples of every macroblock, in order', () => {
    const frame = Buffer.from(encodeKeyFrame(size, paint));
    const at = Array.from({ length: 8 }, (_, index) => frame.indexOf(Buffer.alloc(PCM_BYTES, 100 + index)));
    expect(at).not.toContain(-1);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
  });
});

describe('encodeDeltaFrame', () => {
  it('takes a few bytes if nothing has changed', () => {
    expect(encodeDeltaFrame(frameSize(1920, 1920), 1, [], paint).length).toBeLessThan(16);
  });

  it('contains exactly the changed macroblocks', () => {
    const frame = Buffer.from(encodeDeltaFrame(size, 1, [2, 7], paint));
    const included = Array.from({ length: 8 }, (_, index) => frame.includes(Buffer.alloc(PCM_BYTES, 100 + index)));
    expect(included).toEqual([false, false, true, false, false, false, false, true]);
  });
});
