import type { TextQuirks } from '@sluice/canonical';

export interface ModelTraits {
  /** Output limit in tokens. Undefined if unknown. */
  maxOutput?: number;
  /** The value of `max_tokens` if the client omits it. */
  defaultMaxTokens: number;
  /** Whether the model accepts `thinking: {type: "adaptive"}` and `output_config.effort`. */
  adaptive: boolean;
  /** Whether the model accepts `thinking: {type: "enabled", budget_tokens}`. */
  budget: boolean;
  thinkingOff: boolean;
  display: boolean;
  xhigh: boolean;
  /** Whether the model accepts `temperature`, `top_p`, and `top_k`. */
  sampling: boolean;
  /** Whether the model accepts `temperature` together with `top_p`. */
  bothSampling: boolean;
  forcedTool: boolean;
  /** Whether the model accepts `output_config.format` with a JSON schema. */
  jsonSchema: boolean;
  /** Whether the model accepts `role: system` among the messages. */
  systemTurns: boolean;
}

const K = 1_000;
/** For models without a known limit. */
const DEFAULT_MAX_TOKENS = 4_096;

type Row = Omit<ModelTraits, 'defaultMaxTokens' | 'systemTurns'>;

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

/** Models before adaptive thinking. */
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
 * Anthropic's models by name, from the capability table of @ai-sdk/anthropic 4.0.105. The first match wins. Dots in a
 * name are replaced with dashes before matching, because gateways use both in versions.
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
  // A model that is newer than this table is probably as strict as the newest known model.
  [/claude-/, NEWEST],
];

/** Defaults for other vendors' models that use this protocol. */
const { maxOutput: _unknown, ...OTHER_VENDOR } = OLD;

export function modelTraits(model: string, quirks: TextQuirks): ModelTraits {
  const name = model.toLowerCase().replaceAll('.', '-');
  const row: Row = TABLE.find(([pattern]) => pattern.test(name))?.[1] ?? OTHER_VENDOR;
  return {
    ...row,
    adaptive: quirks.thinking ? quirks.thinking === 'adaptive' : row.adaptive,
    budget: quirks.thinking ? quirks.thinking === 'budget' : row.budget,
    defaultMaxTokens: quirks.max_output_tokens ?? row.maxOutput ?? DEFAULT_MAX_TOKENS,
    thinkingOff: quirks.thinking_off ?? row.thinkingOff,
    sampling: quirks.sampling ?? row.sampling,
    forcedTool: quirks.forced_tool ?? row.forcedTool,
    jsonSchema: quirks.json_schema ?? row.jsonSchema,
    systemTurns: quirks.system_turns ?? false,
  };
}
