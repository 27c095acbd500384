import type { TextTarget } from '@sluice/canonical';

/** The request format that a model expects, from configured quirks or derived from its name. */
export interface ModelTraits {
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  instructionRole: 'system' | 'developer';
  /**
   * Whether the model accepts sampling parameters. If undefined, it accepts them unless it reasons, as OpenAI's models
   * do.
   */
  sampling: boolean | undefined;
  /** Whether this is one of OpenAI's reasoning models. */
  reasons: boolean;
  reasoningContent: boolean;
  reasoningEffort: boolean;
  topK: boolean;
  streamUsage: boolean;
  jsonSchema: boolean;
  stop: boolean;
  /** Whether this is one of OpenAI's own models, which accept `allowed_tools`, refusals, and cache breakpoints. */
  isOpenAi: boolean;
}

/** OpenAI's reasoning models. */
const REASONS = /^(o\d|gpt-[56])/;
/** OpenAI documents `stop` as "not supported with latest reasoning models o3 and o4-mini". */
const REJECTS_STOP = /^o[34]/;

/** A configured quirk overrides the trait that the name implies. */
export function modelTraits({ model, quirks }: TextTarget): ModelTraits {
  // Resellers prefix model names with the vendor's name (e.g. `openai/gpt-5`).
  const name = (model.split('/').at(-1) ?? model).toLowerCase();
  const reasons = REASONS.test(name);
  return {
    maxTokensField: quirks.max_tokens_field ?? (reasons ? 'max_completion_tokens' : 'max_tokens'),
    instructionRole: quirks.instruction_role ?? (reasons ? 'developer' : 'system'),
    sampling: quirks.sampling ?? (reasons ? undefined : true),
    reasons,
    reasoningContent: quirks.reasoning_content ?? false,
    reasoningEffort: quirks.reasoning_effort ?? true,
    topK: quirks.top_k ?? false,
    streamUsage: quirks.stream_usage ?? true,
    jsonSchema: quirks.json_schema ?? true,
    stop: !REJECTS_STOP.test(name),
    isOpenAi: reasons || /^(gpt-[34]|chatgpt-)/.test(name),
  };
}
