/** What the models of one family take (ai.google.dev, "Generate videos with Veo", "Parameters and specifications"). */
export interface VeoFamily {
  /** Durations in seconds. */
  seconds: readonly number[];
  /** None: there is no such parameter. */
  resolutions: readonly string[];
  /** The most films of one call. */
  samples: number;
  lastFrame: boolean;
  references: boolean;
  /** Whether it goes on with a film of its own. */
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

/** What models of other names take: all of it. */
const OTHERS: VeoFamily = { ...NEWEST, seconds: [4, 5, 6, 7, 8], samples: 4 };

/** The family of a model, by its name; undefined for Google's models that make no films. */
export function veoFamilyOf(model: string): VeoFamily | undefined {
  if (/^(gemini|imagen|gemma|text-embedding)/.test(model)) return undefined;
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? OTHERS;
}
