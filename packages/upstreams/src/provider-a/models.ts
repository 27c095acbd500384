import { megabytes, type ImageLimits, fullSeconds } from '../media/limit-params.ts';

/** Kling docs, `image`: ".jpg/.jpeg/.png", of 10 MB. */
export const PICTURES: ImageLimits = { mediaTypes: ['image/jpeg', 'image/png'], maxBytes: megabytes(10) };

/** What the video models of one generation can do. Kling docs, "Capability map"; unknown names may do anything. */
export interface VideoFamily {
  /** Absent: not known. */
  seconds?: { choices: readonly number[]; usual: number };
  /** Whether it makes sound; absent: not known. */
  sound?: boolean;
  /** Whether `std` (720p) and `pro` (1080p) may be chosen; absent: not known. */
  modes?: boolean;
  /** What it does in mode `pro` alone. */
  proOnly?: readonly ('last_frame' | 'sound')[];
  /** It is asked by `omni-video`, with all pictures in one list. */
  omni?: true;
}

const FIVE_OR_TEN = { choices: [5, 10], usual: 5 } as const;

/** Names as the vendor spells them; the first that fits. */
const FAMILIES: readonly [RegExp, VideoFamily][] = [
  [/^kling-video-o\d/, { seconds: { choices: fullSeconds(3, 10), usual: 5 }, sound: false, modes: true, omni: true }],
  [/-omni$/, { seconds: { choices: fullSeconds(3, 15), usual: 5 }, omni: true }],
  [/^kling-v\d.*-master$/, { seconds: FIVE_OR_TEN, sound: false, modes: false }],
  [/^kling-v1$/, { seconds: FIVE_OR_TEN, sound: false, modes: true }],
  [/^kling-v(1-5|1-6|2-1|2-5.*)$/, { seconds: FIVE_OR_TEN, sound: false, modes: true, proOnly: ['last_frame'] }],
  [/^kling-v2-6/, { seconds: FIVE_OR_TEN, sound: true, modes: true, proOnly: ['last_frame', 'sound'] }],
  [/^kling-v3/, { seconds: { choices: fullSeconds(3, 15), usual: 5 }, sound: true, modes: true }],
];

/** The family of a video model, by its {@link vendorName}. */
export function videoFamily(model: string): VideoFamily {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? {};
}

/** A model's name as the vendor spells it: `kling-v2.6` is `kling-v2-6`, `kling-v3.0` is `kling-v3`. */
export function vendorName(model: string): string {
  return model.replace(/\.0(?=$|-)/, '').replaceAll('.', '-');
}
