import type { TextQuirks } from '@sluice/canonical';

/** What a model behind this protocol takes. */
export interface ModelTraits {
  /** Most tokens of an answer; absent: not known. */
  maxOutput?: number;
  /** What `max_tokens` is when the client set none. */
  defaultMaxTokens: number;
  /** Whether `thinking: {type: "adaptive"}` and `output_config.effort` are taken. */
  adaptive: boolean;
  /** Whether `thinking: {type: "enabled", budget_tokens}` is taken. */
  budget: boolean;
  /** Whether thinking can be turned off. */
  thinkingOff: boolean;
  /** Whether it can be told if thoughts are shown. */
  display: boolean;
  /** Whether the effort `xhigh` is taken. */
  xhigh: boolean;
  /** Whether temperature, top_p and top_k are taken. */
  sampling: boolean;
  /** Whether temperature and top_p are taken together. */
  bothSampling: boolean;
  /** Whether a tool can be forced. */
  forcedTool: boolean;
  /** Whether `output_config.format` takes a JSON schema. */
  jsonSchema: boolean;
  /** Whether `role: system` may stand among the messages. */
  systemTurns: boolean;
}

const K = 1_000;
/** When neither the client nor the table knows better. */
const DEFAULT_MAX_TOKENS = 4_096;

type Row = Omit<ModelTraits, 'defaultMaxTokens' | 'systemTurns'>;

/** What the newest models have in common: they think as they see fit and can hardly be steered. */
const NEWEST: Row = {
  maxOutput: 128 * K,
  adaptive: true,
  budget: false,
  thinkingOff: false,
  display: true,
  xhigh: true,
  sampling: false,
  bothSampling: false,
  forcedTool: false,
  jsonSchema: true,
};

/** What the models before adaptive thinking have in common. */
const CLASSIC: Row = {
  maxOutput: 64 * K,
  adaptive: false,
  budget: true,
  thinkingOff: true,
  display: true,
  xhigh: false,
  sampling: true,
  bothSampling: false,
  forcedTool: true,
  jsonSchema: true,
};

const OLD: Row = { ...CLASSIC, display: false, bothSampling: true, jsonSchema: false };

/**
 * Anthropic's models by name, after the capability table of @ai-sdk/anthropic 4.0.105; the first that fits counts. Dots
 * and dashes are one, as gateways spell versions either way.
 */
const TABLE: readonly (readonly [name: RegExp, row: Row])[] = [
  [/(sonnet|opus)-5-5(?!\d)/, NEWEST],
  [/haiku-5-5(?!\d)/, { ...NEWEST, thinkingOff: true, forcedTool: true }],
  [/fable-5-[12](?!\d)/, NEWEST],
  [/fable-5(?!\d)/, { ...NEWEST, forcedTool: true }],
  [/opus-4-[78](?!\d)|(sonnet|opus)-5(?!\d)/, { ...NEWEST, budget: true, thinkingOff: true, forcedTool: true }],
  [/(opus|sonnet)-4-6(?!\d)/, { ...CLASSIC, maxOutput: 128 * K, adaptive: true }],
  [/(sonnet|opus|haiku)-4-5(?!\d)/, CLASSIC],
  [/opus-4-1(?!\d)/, { ...CLASSIC, maxOutput: 32 * K }],
  [/sonnet-4(?!\d|-\d(?!\d))|claude-4-sonnet/, OLD],
  [/opus-4(?!\d|-\d(?!\d))|claude-4-opus/, { ...OLD, maxOutput: 32 * K }],
  [/claude-3-7/, OLD],
  [/claude-3-5/, { ...OLD, maxOutput: 8_192, budget: false }],
  [/claude-(3|2|instant)/, { ...OLD, maxOutput: 4_096, budget: false }],
  // A model that came out after this table is most likely as strict as the newest in it.
  [/claude-/, NEWEST],
];

/** Another vendor behind this protocol: what every one of them takes. */
const { maxOutput: _unknown, ...OTHER_VENDOR } = OLD;

/** What a model takes: by its name, and where the operator set a quirk, by that. */
export function modelTraits(model: string, quirks: TextQuirks): ModelTraits {
  const name = model.toLowerCase().replaceAll('.', '-');
  const row: Row = TABLE.find(([pattern]) => pattern.test(name))?.[1] ?? OTHER_VENDOR;
  return {
    ...row,
    ...(quirks.thinking !== undefined && {
      adaptive: quirks.thinking === 'adaptive',
      budget: quirks.thinking === 'budget',
    }),
    defaultMaxTokens: quirks.max_output_tokens ?? row.maxOutput ?? DEFAULT_MAX_TOKENS,
    thinkingOff: quirks.thinking_off ?? row.thinkingOff,
    sampling: quirks.sampling ?? row.sampling,
    forcedTool: quirks.forced_tool ?? row.forcedTool,
    jsonSchema: quirks.json_schema ?? row.jsonSchema,
    systemTurns: quirks.system_turns ?? false,
  };
}
