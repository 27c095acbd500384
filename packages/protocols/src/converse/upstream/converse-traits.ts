import type { TextQuirks, TextTarget } from '@sluice/canonical';
import { type ModelTraits, modelTraits } from '../../anthropic-style/model-traits.ts';

/** The traits of a model of Bedrock, in addition to what Converse defines for all models. */
export interface ConverseTraits {
  /** Claude's own traits. Undefined for other vendors' models. */
  claude?: ModelTraits;
  reasoning: 'claude' | 'nova' | 'effort' | 'none';
  /** Where the model accepts cache points. */
  cachePoints: 'everywhere' | 'not in tools' | 'nowhere';
  /** The `toolChoice` types that the model accepts in addition to `auto`. */
  toolChoices: ReadonlySet<'any' | 'tool'>;
  /** The model's own field for `top_k`, below `additionalModelRequestFields`. */
  topK?: readonly string[];
  jsonSchema: boolean;
}

type Row = Omit<ConverseTraits, 'claude'>;

const ALL_CHOICES: Row['toolChoices'] = new Set(['any', 'tool']);
const OTHER: Row = { reasoning: 'none', cachePoints: 'nowhere', toolChoices: new Set(), jsonSchema: false };
const NOVA: Row = {
  ...OTHER,
  cachePoints: 'not in tools',
  toolChoices: ALL_CHOICES,
  topK: ['inferenceConfig', 'topK'],
};
const CLAUDE: Row = {
  reasoning: 'claude',
  cachePoints: 'everywhere',
  toolChoices: ALL_CHOICES,
  topK: ['top_k'],
  jsonSchema: true,
};

/**
 * By model id, with or without an inference profile's prefix (Bedrock user guide: "Tool use", "Prompt caching",
 * "Inference request parameters", "Structured outputs"). The first match wins. The ids of application inference profiles
 * name no model, so their quirks must be configured.
 */
const TABLE: readonly (readonly [id: RegExp, row: Row])[] = [
  [/claude/, CLAUDE],
  [/nova-2/, { ...NOVA, reasoning: 'nova' }],
  [/nova/, NOVA],
  [/gpt-oss/, { ...OTHER, reasoning: 'effort', jsonSchema: true }],
  [/mistral|pixtral|magistral|ministral/, { ...OTHER, toolChoices: new Set(['any']), topK: ['top_k'] }],
  [/command-r/, { ...OTHER, topK: ['k'] }],
];

const known = new WeakMap<TextTarget, ConverseTraits>();

/** Returns a target's traits. They are cached, because targets do not change. */
export function converseTraits(target: TextTarget): ConverseTraits {
  let traits = known.get(target);
  if (!traits) known.set(target, (traits = traitsOf(target.model.toLowerCase(), target.quirks)));
  return traits;
}

function traitsOf(model: string, quirks: TextQuirks): ConverseTraits {
  const row = TABLE.find(([id]) => id.test(model))?.[1] ?? OTHER;
  const isClaude = row === CLAUDE || quirks.thinking !== undefined;
  const claude = isClaude ? modelTraits(model, quirks) : undefined;
  const { top_k: topK, forced_tool: forcedTool = claude?.forcedTool } = quirks;
  return {
    ...row,
    ...(claude && { claude, reasoning: 'claude' }),
    topK: topK === undefined ? row.topK : topK ? (row.topK ?? ['top_k']) : undefined,
    toolChoices: forcedTool === undefined ? row.toolChoices : forcedTool ? ALL_CHOICES : new Set(),
    jsonSchema: quirks.json_schema ?? claude?.jsonSchema ?? row.jsonSchema,
  };
}
