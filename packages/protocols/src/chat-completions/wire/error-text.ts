/** That the prompt is longer than the model's context, in the words of many vendors. */
export const TOO_LONG =
  /context[_ ](length|window|size)|maximum (context|sequence|model) length|prompt is too long|input is too long|too many (input )?tokens|input token count|reduce the length of/i;
/** That the gateway's account has no money left. */
export const NO_QUOTA =
  /insufficient[_ ](quota|balance|credits?|funds)|exceeded your current quota|billing|out of credits/i;
/** Codes of a content policy. */
export const FORBIDDEN = /content[_ ](policy|filter)|moderation|data_inspection_failed|responsible.?ai/i;
/** DeepSeek, Mistral, OpenRouter and OpenAI: the first three say so with 400 and without a code of its own. */
export const NO_MODEL =
  /model not exist|invalid model:|not a valid model\b|model [`'"]?[^\s`'"]+[`'"]? (does not exist|not found)/i;

/** What codes and types of errors mean, most telling first; vLLM's types are Python's class names. */
const STATUS_OF_WORD: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|too_?many_?requests|insufficient_quota/i, 429],
  [/overloaded|unavailable|slow_down/i, 503],
  [/api_?key|authentication|permission/i, 401],
  [/(?:payload|request|entity)_too_large/i, 413],
  [/context_(?:length|size)|unsupported_(?:parameter|value)|invalid_?(?:request|prompt)|bad_?request/i, 400],
  [FORBIDDEN, 400],
  [/not_?found/i, 404],
];
const STATUS_OF_MESSAGE: readonly (readonly [RegExp, number])[] = [
  [/rate limit|too many requests|per minute/i, 429],
  [NO_QUOTA, 429],
  [TOO_LONG, 400],
  [NO_MODEL, 400],
  [/overloaded|at capacity/i, 503],
];
/** An upstream that says nothing else is in trouble itself. */
const SILENT = 502;

/**
 * The status that an error would have come with, for one that came inside an answer and tells none: by its code, else by
 * its type, else by its words.
 */
export function standInStatus({ code, type, message }: { code: string; type: string; message: string }): number {
  return found(STATUS_OF_WORD, code) ?? found(STATUS_OF_WORD, type) ?? found(STATUS_OF_MESSAGE, message) ?? SILENT;
}

function found(table: typeof STATUS_OF_WORD, text: string): number | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
