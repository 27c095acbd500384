export const TOO_LONG =
  /context[_ ](length|window|size)|maximum (context|sequence|model) length|prompt is too long|input is too long|too many (input )?tokens|input token count|reduce the length of/i;
export const NO_QUOTA =
  /insufficient[_ ](quota|balance|credits?|funds)|exceeded your current quota|billing|out of credits/i;
export const FORBIDDEN = /content[_ ](policy|filter)|moderation|data_inspection_failed|responsible.?ai/i;
/**
 * Matches messages about an unknown model. DeepSeek, Mistral, and OpenRouter send them with status 400 and no specific
 * code.
 */
export const NO_MODEL =
  /model not exist|invalid model:|not a valid model\b|model [`'"]?[^\s`'"]+[`'"]? (does not exist|not found)/i;

/** The status that an error's code or type implies, most specific first. vLLM's types are Python class names. */
const STATUS_BY_CODE: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|too_?many_?requests|insufficient_quota/i, 429],
  [/overloaded|unavailable|slow_down/i, 503],
  [/api_?key|authentication|permission/i, 401],
  [/(?:payload|request|entity)_too_large/i, 413],
  [/context_(?:length|size)|unsupported_(?:parameter|value)|invalid_?(?:request|prompt)|bad_?request/i, 400],
  [FORBIDDEN, 400],
  [/not_?found/i, 404],
];
const STATUS_BY_MESSAGE: readonly (readonly [RegExp, number])[] = [
  [/rate limit|too many requests|per minute/i, 429],
  [NO_QUOTA, 429],
  [TOO_LONG, 400],
  [NO_MODEL, 400],
  [/overloaded|at capacity/i, 503],
];
const UNKNOWN_STATUS = 502;

/**
 * Infers the status of an error inside a response with status 200: first from its code, then its type, then its
 * message.
 */
export function inferStatus({ code, type, message }: { code: string; type: string; message: string }): number {
  return (
    matchStatus(STATUS_BY_CODE, code) ??
    matchStatus(STATUS_BY_CODE, type) ??
    matchStatus(STATUS_BY_MESSAGE, message) ??
    UNKNOWN_STATUS
  );
}

function matchStatus(table: typeof STATUS_BY_CODE, text: string): number | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
