/** What a model's name tells of OpenAI's own models; of others nothing is assumed. */
export interface ModelTraits {
  /** Thinks, and therefore refuses temperature and top_p unless told not to think. */
  reasons: boolean;
  /** Is known not to think: it refuses `reasoning` and encrypted reasoning. */
  neverReasons: boolean;
  /** Takes `prompt_cache_options` and breakpoints (openai-node 7.55: gpt-5.6 and later). */
  cacheMarks: boolean;
}

/** Reads a model's name, also behind a maker as in `openai/gpt-5`. */
export function modelTraits(model: string): ModelTraits {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const isChat = /-chat\b/.test(name);
  return {
    reasons: /^(?:o\d|gpt-[5-9])/.test(name) && !isChat,
    neverReasons: /^(?:gpt-[34]|chatgpt-)/.test(name),
    cacheMarks: /^gpt-(?:5\.[6-9]|[6-9])/.test(name),
  };
}
