import type { TextTarget } from '@sluice/canonical';

/** How a model at an upstream wants this protocol spoken: the operator's quirks, or what its name says. */
export interface ModelTraits {
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  instructionRole: 'system' | 'developer';
  /** Undefined: taken while the model does not think, as OpenAI's reasoning models do. */
  sampling: boolean | undefined;
  reasoningContent: boolean;
  reasoningEffort: boolean;
  topK: boolean;
  streamUsage: boolean;
  jsonSchema: boolean;
  /** Whether `stop` is taken. */
  stop: boolean;
  /** Whether it is OpenAI's own: parts that only they know (`allowed_tools`, refusals, cache breakpoints) are written. */
  isOpenAi: boolean;
}

/** OpenAI: the o series, gpt-5 and gpt-6 reason. */
const REASONS = /^(o\d|gpt-[56])/;
/** OpenAI documents `stop` as "not supported with latest reasoning models o3 and o4-mini". */
const TAKES_NO_STOP = /^o[34]/;

/** The traits of a target; a quirk that the operator has set wins over the name. */
export function modelTraits({ model, quirks }: TextTarget): ModelTraits {
  // Resellers put the maker before the name.
  const name = (model.split('/').at(-1) ?? model).toLowerCase();
  const reasons = REASONS.test(name);
  return {
    maxTokensField: quirks.max_tokens_field ?? (reasons ? 'max_completion_tokens' : 'max_tokens'),
    instructionRole: quirks.instruction_role ?? (reasons ? 'developer' : 'system'),
    sampling: quirks.sampling ?? (reasons ? undefined : true),
    reasoningContent: quirks.reasoning_content ?? false,
    reasoningEffort: quirks.reasoning_effort ?? true,
    topK: quirks.top_k ?? false,
    streamUsage: quirks.stream_usage ?? true,
    jsonSchema: quirks.json_schema ?? true,
    stop: !TAKES_NO_STOP.test(name),
    isOpenAi: reasons || /^(gpt-[34]|chatgpt-)/.test(name),
  };
}
