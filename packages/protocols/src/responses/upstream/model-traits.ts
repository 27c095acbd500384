/** Traits of OpenAI's models, derived from the name. Other models have no traits. */
export interface ModelTraits {
  /** Whether the model reasons. If it does, it rejects `temperature` and `top_p` unless reasoning is disabled. */
  reasons: boolean;
  /** Whether the model cannot reason. If so, it rejects `reasoning` and encrypted reasoning. */
  neverReasons: boolean;
  /** Whether the model accepts `prompt_cache_options` and breakpoints (openai-node 7.55: gpt-5.6 and later). */
  cacheMarks: boolean;
}

/** Accepts names with a vendor prefix (e.g. `openai/gpt-5`). */
export function modelTraits(model: string): ModelTraits {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const isChat = /-chat\b/.test(name);
  return {
    reasons: /^(?:o\d|gpt-[5-9])/.test(name) && !isChat,
    neverReasons: /^(?:gpt-[34]|chatgpt-)/.test(name),
    cacheMarks: /^gpt-(?:5\.[6-9]|[6-9])/.test(name),
  };
}
