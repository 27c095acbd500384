import type { TextTarget } from '@sluice/canonical';

/** How a model expects requests, by the operator's quirks or by its name. */
export interface ModelTraits {
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  instructionRole: 'system' | 'developer';
  /** Undefined: accepted unless the model reasons, as with OpenAI's reasoning models. */
  sampling: boolean | undefined;
  reasoningContent: boolean;
  reasoningEffort: boolean;
  topK: boolean;
  streamUsage: boolean;
  jsonSchema: boolean;
  stop: boolean;
  /** Whether the model is OpenAI's own, which accepts `allowed_tools`, refusals, and cache breakpoints. */
  isOpenAi: boolean;
}

/** OpenAI's reasoning models. */
const REASONS = /^(o\d|gpt-[56])/;
/** OpenAI documents `stop` as "not supported with latest reasoning models o3 and o4-mini". */
const TAKES_NO_STOP = /^o[34]/;

/** A quirk wins over the name. */
export function modelTraits({ model, quirks }: TextTarget): ModelTraits {
  // Resellers prefix the maker.
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
