/** ai.google.dev, "Generate videos with Veo", "Parameters and specifications". */
export interface VeoFamily {
  seconds: readonly number[];
  /** Empty: no such parameter. */
  resolutions: readonly string[];
  samples: number;
  lastFrame: boolean;
  references: boolean;
  /** Whether it can extend one of its videos. */
  extends: boolean;
}

const THIRD: VeoFamily = {
  seconds: [4, 6, 8],
  resolutions: ['720p', '1080p'],
  samples: 1,
  lastFrame: false,
  references: false,
  extends: false,
};
const NEWEST: VeoFamily = {
  ...THIRD,
  resolutions: ['720p', '1080p', '4k'],
  lastFrame: true,
  references: true,
  extends: true,
};

const FAMILIES: readonly [name: RegExp, family: VeoFamily][] = [
  [/^veo-2/, { ...THIRD, seconds: [5, 6, 8], resolutions: [], samples: 2, lastFrame: true }],
  [/^veo-3\.0/, THIRD],
  [/^veo-3\.1-lite/, { ...THIRD, lastFrame: true }],
  [/^veo-3\.1/, NEWEST],
];

/** Other names accept everything. */
const OTHERS: VeoFamily = { ...NEWEST, seconds: [4, 5, 6, 7, 8], samples: 4 };

/** Undefined for Google's models without video. */
export function veoFamilyOf(model: string): VeoFamily | undefined {
  if (/^(gemini|imagen|gemma|text-embedding)/.test(model)) return undefined;
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? OTHERS;
}
