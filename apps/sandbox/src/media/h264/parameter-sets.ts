import { createBitWriter } from './bit-writer.ts';
import type { FrameSize } from './frame-size.ts';
import { MACROBLOCK } from './frame-size.ts';
import { nalUnit } from './nal-unit.ts';

/** `profile_idc` 66 with constraint_set0 and constraint_set1 is Constrained Baseline. */
const PROFILE = 66;
const CONSTRAINTS = 0xc0;

/** `frame_num` counts all frames, because every frame is a reference. */
export const FRAME_NUM_BITS = 16;

/** Level and its maximum macroblocks per frame and per second (H.264 table A-1). */
const LEVELS: readonly (readonly [level: number, frame: number, second: number])[] = [
  [30, 1620, 40_500],
  [31, 3600, 108_000],
  [40, 8192, 245_760],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
];

function levelFor({ columns, rows }: FrameSize, framesPerSecond: number): number {
  const fits = LEVELS.find(([, frame, second]) => {
    const longest = Math.sqrt(frame * 8);
    const area = columns * rows;
    return area <= frame && area * framesPerSecond <= second && columns <= longest && rows <= longest;
  });
  return fits?.[0] ?? 52;
}

/** Encodes the sequence parameter set (7.3.2.1.1): size with cropping, frame rate, and output in decoding order. */
export function sequenceParameterSet(size: FrameSize, framesPerSecond: number): Uint8Array {
  const out = createBitWriter();
  out.bits(PROFILE, 8);
  out.bits(CONSTRAINTS, 8);
  out.bits(levelFor(size, framesPerSecond), 8);
  out.unsigned(0); // seq_parameter_set_id
  out.unsigned(FRAME_NUM_BITS - 4);
  out.unsigned(2); // pic_order_cnt_type: output in decoding order
  out.unsigned(1); // max_num_ref_frames
  out.bits(0, 1); // gaps_in_frame_num_value_allowed_flag
  out.unsigned(size.columns - 1);
  out.unsigned(size.rows - 1);
  out.bits(1, 1); // frame_mbs_only_flag
  out.bits(1, 1); // direct_8x8_inference_flag
  // Crop offsets count pairs of luma samples, because chroma is 4:2:0.
  const right = (size.columns * MACROBLOCK - size.width) / 2;
  const bottom = (size.rows * MACROBLOCK - size.height) / 2;
  out.bits(right + bottom > 0 ? 1 : 0, 1);
  if (right + bottom > 0) for (const offset of [0, right, 0, bottom]) out.unsigned(offset);
  out.bits(1, 1); // vui_parameters_present_flag
  out.bits(0, 4); // no aspect ratio, overscan, video signal type, or chroma location
  out.bits(1, 1); // timing_info_present_flag; each frame lasts two ticks
  out.bits(1, 32);
  out.bits(framesPerSecond * 2, 32);
  out.bits(1, 1); // fixed_frame_rate_flag
  out.bits(0, 4); // no HRD parameters (2 bits), pic_struct, or bitstream_restriction
  return nalUnit('sequence', out.finish());
}

/** Encodes the picture parameter set (7.3.2.2): CAVLC, one slice group, and deblocking controlled by slices. */
export function pictureParameterSet(): Uint8Array {
  const out = createBitWriter();
  out.unsigned(0); // pic_parameter_set_id
  out.unsigned(0); // seq_parameter_set_id
  out.bits(0, 2); // CAVLC, no bottom_field_pic_order
  out.unsigned(0); // num_slice_groups_minus1
  out.unsigned(0); // num_ref_idx_l0_default_active_minus1
  out.unsigned(0); // num_ref_idx_l1_default_active_minus1
  out.bits(0, 3); // no weighted prediction
  for (let field = 0; field < 3; field += 1) out.unsigned(0); // initial QP, QS, and chroma offset: 0 as se(v)
  out.bits(1, 1); // deblocking_filter_control_present_flag
  out.bits(0, 2); // no constrained intra prediction, no redundant pictures
  return nalUnit('image', out.finish());
}
