/** Traits of OpenAI's own models by name; other models have none. */
export interface ModelTraits {
  /** The model reasons, so it rejects temperature and top_p unless reasoning is off. */
  reasons: boolean;
  /** The model never reasons, so it rejects `reasoning` and encrypted reasoning. */
  neverReasons: boolean;
  /** The model accepts `prompt_cache_options` and breakpoints (openai-node 7.55: gpt-5.6 and later). */
  cacheMarks: boolean;
}

/** Accepts a prefixed maker, as in `openai/gpt-5`. */
export function modelTraits(model: string): ModelTraits {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const isChat = /-chat\b/.test(name);
  return {
    reasons: /^(?:o\d|gpt-[5-9])/.test(name) && !isChat,
    neverReasons: /^(?:gpt-[34]|chatgpt-)/.test(name),
    cacheMarks: /^gpt-(?:5\.[6-9]|[6-9])/.test(name),
  };
}
