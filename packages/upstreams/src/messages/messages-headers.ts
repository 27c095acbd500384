import type { ClientHeaders } from '@sluice/canonical';
import { FILES_BETA } from '../vendor-files/form-files.ts';

/** The default version. All vendors support it. */
const VERSION = '2023-06-01';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Comma-separated beta names. Claude Code's header has about 500 characters. */
const BETAS = /^[\w.,: -]{1,4000}$/;

/**
 * Selects the client's headers that the vendor needs, unchanged: the protocol version (a date in `anthropic-version` or
 * `messages-version`) and `anthropic-beta`.
 * @param refersToFiles adds the beta that files require
 */
export function messagesHeaders(headers: ClientHeaders, refersToFiles = false): Record<string, string> {
  const version = dateIn(headers['anthropic-version']) ?? dateIn(headers['messages-version']) ?? VERSION;
  const betas = String(headers['anthropic-beta'] ?? '');
  const sent = [
    ...(BETAS.test(betas) ? [betas] : []),
    ...(refersToFiles && !betas.includes(FILES_BETA) ? [FILES_BETA] : []),
  ];
  if (sent.length === 0) return { 'anthropic-version': version };
  return { 'anthropic-version': version, 'anthropic-beta': sent.join(',') };
}

function dateIn(value: string | string[] | undefined): string | undefined {
  if (typeof value === 'object') return value.find((one) => DATE.test(one));
  return value !== undefined && DATE.test(value) ? value : undefined;
}
