export const VIDU_CALLS = ['text2video', 'img2video', 'start-end2video', 'reference2video'] as const;

export type ViduCall = (typeof VIDU_CALLS)[number];

export interface ViduModel {
  calls: readonly ViduCall[];
  /** Resolutions by duration; the default comes first in both. */
  makes: ReadonlyMap<number, readonly string[]>;
  shapes: readonly string[];
  audio: boolean;
  references: number;
}

const NARROW = ['16:9', '9:16', '1:1'];
const BROAD = [...NARROW, '3:4', '4:3'];
const FRAMES = ['img2video', 'start-end2video'] as const;

function upTo(longest: number): ViduModel['makes'] {
  const all = Array.from({ length: longest }, (_, index) => index + 1);
  return new Map([5, ...all].map((seconds) => [seconds, ['720p', '540p', '1080p']]));
}

const THIRD: ViduModel = { calls: VIDU_CALLS, makes: upTo(16), shapes: BROAD, audio: true, references: 7 };
const SECOND: ViduModel = { ...THIRD, makes: upTo(10) };
const FIRST: ViduModel = { ...SECOND, makes: new Map([[5, ['1080p']]]), shapes: NARROW, audio: false };
const OLD: ViduModel = {
  ...FIRST,
  makes: new Map([
    [4, ['360p', '720p', '1080p']],
    [8, ['720p']],
  ]),
  references: 3,
};

/** Vidu docs, "Text to Video", "Image to Video", "Start End to Video", "Reference to Video". */
const MODELS: Readonly<Record<string, ViduModel>> = {
  'viduq3-pro': THIRD,
  'viduq3-turbo': THIRD,
  'viduq3-pro-fast': THIRD,
  viduq2: { ...SECOND, calls: ['text2video', 'reference2video'] },
  'viduq2-pro': { ...SECOND, calls: [...FRAMES, 'reference2video'] },
  'viduq2-pro-fast': { ...SECOND, calls: [...FRAMES, 'reference2video'] },
  'viduq2-turbo': { ...SECOND, calls: FRAMES },
  viduq1: FIRST,
  'viduq1-classic': { ...FIRST, calls: FRAMES },
  'vidu2.0': { ...OLD, calls: [...FRAMES, 'reference2video'] },
  'vidu1.5': OLD,
};

export function viduModelOf(name: string, call: ViduCall): ViduModel | undefined {
  const model = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
  return model?.calls.includes(call) === true ? model : undefined;
}
