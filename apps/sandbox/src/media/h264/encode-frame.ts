import { type BitWriter, createBitWriter } from './bit-writer.ts';
import type { FrameSize } from './frame-size.ts';
import { nalUnit } from './nal-unit.ts';
import { FRAME_NUM_BITS } from './parameter-sets.ts';

/** A macroblock in I_PCM: 256 bytes of luma, then 64 of Cb and 64 of Cr. */
const PCM_BYTES = 384;

/** Fills the 384 samples of a macroblock. No sample may be 0. */
export type PaintMacroblock = (index: number, samples: Uint8Array) => void;

/** `slice_type` of pictures whose slices have one type, and the `mb_type` of I_PCM in them (tables 7-6 and 7-11). */
const KEY = { sliceType: 7, pcmType: 25 };
const DELTA = { sliceType: 5, pcmType: 30 };

function writeSliceHeader(out: BitWriter, frameNum: number): void {
  const key = frameNum === 0;
  out.unsigned(0); // first_mb_in_slice
  out.unsigned(key ? KEY.sliceType : DELTA.sliceType);
  out.unsigned(0); // pic_parameter_set_id
  out.bits(frameNum, FRAME_NUM_BITS);
  if (key) out.unsigned(0); // idr_pic_id
  if (key) out.bits(0, 2); // no_output_of_prior_pics_flag, long_term_reference_flag
  else out.bits(0, 3); // no reference count override, no reference list modification, sliding window
  out.unsigned(0); // slice_qp_delta
  out.unsigned(1); // disable_deblocking_filter_idc: the samples must not change
}

function writePcm(out: BitWriter, type: number, index: number, paint: PaintMacroblock): void {
  out.unsigned(type);
  out.align(); // pcm_alignment_zero_bit
  paint(index, out.reserve(PCM_BYTES));
}

/** Encodes an IDR picture of I_PCM macroblocks as one NAL unit. */
export function encodeKeyFrame(size: FrameSize, paint: PaintMacroblock): Uint8Array {
  const total = size.columns * size.rows;
  const out = createBitWriter(total * (PCM_BYTES + 2) + 64);
  writeSliceHeader(out, 0);
  for (let index = 0; index < total; index += 1) writePcm(out, KEY.pcmType, index, paint);
  return nalUnit('idr', out.finish());
}

/**
 * Encodes changed macroblocks as I_PCM and all others as P_Skip. With only these two types, every predicted motion
 * vector is zero (8.4.1.1).
 * @param frameNum 1 for the first frame after the key frame, then incremented.
 * @param changed macroblock indexes in ascending order, without duplicates.
 */
export function encodeDeltaFrame(
  size: FrameSize,
  frameNum: number,
  changed: readonly number[],
  paint: PaintMacroblock,
): Uint8Array {
  const total = size.columns * size.rows;
  const out = createBitWriter(changed.length * (PCM_BYTES + 8) + 32);
  writeSliceHeader(out, frameNum);
  let next = 0;
  for (const index of changed) {
    out.unsigned(index - next); // mb_skip_run
    writePcm(out, DELTA.pcmType, index, paint);
    next = index + 1;
  }
  if (next < total) out.unsigned(total - next);
  return nalUnit('slice', out.finish());
}
