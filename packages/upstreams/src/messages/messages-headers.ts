/** The default version. All vendors support it. */
const VERSION = '2023-06-01';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Comma-separated beta names. Claude Code's header has about 500 characters. */
const BETAS = /^[\w.,: -]{1,4000}$/;

/**
 * Selects the client's headers that the vendor needs, unchanged: the protocol version (a date in `anthropic-version` or
 * `messages-version`) and `anthropic-beta`.
 */
export function messagesHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const version = [headers['anthropic-version'], headers['messages-version']]
    .flat()
    .find((value) => value !== undefined && DATE.test(value));
  const betas = [headers['anthropic-beta'] ?? []].flat().join(',');
  return {
    'anthropic-version': version ?? VERSION,
    ...(BETAS.test(betas) && { 'anthropic-beta': betas }),
  };
}
