const PASSED = new Set([
  'content-type',
  'openai-processing-ms',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-amzn-errortype',
  'x-request-id',
  'x-should-retry',
]);

/**
 * Selects the response headers that clients or protocol codecs may see. None of them identifies the account. If a
 * header is repeated, the first value is used.
 */
export function passedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name in headers) {
    if (!PASSED.has(name) && !name.startsWith('x-ratelimit-') && !name.startsWith('anthropic-ratelimit-')) continue;
    const value = headers[name];
    const first = typeof value === 'object' ? value[0] : value;
    if (first !== undefined) passed[name] = first;
  }
  return passed;
}
