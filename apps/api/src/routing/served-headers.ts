import type { Loss } from '@sluice/canonical';

export interface Served {
  target: { upstream: string; credential?: string | undefined; model: string };
  relayed: boolean;
  losses?: readonly Loss[];
  headers?: Readonly<Record<string, string>> | undefined;
}

export function servedHeaders({ target, relayed, losses = [], headers = {} }: Served): Record<string, string> {
  const sent: Record<string, string> = {
    'x-sluice-upstream': target.upstream,
    'x-sluice-model': asHeader(target.model),
  };
  if (relayed) Object.assign(sent, relayedHeaders(headers));
  if (losses.length > 0) Object.assign(sent, lossHeaders(losses));
  return sent;
}

/** Names the losses in a header, or in a stream's trailer because the headers are sent before its losses are known. */
export function lossHeaders(losses: readonly Loss[]): Record<string, string> {
  const lost = shortList(lostFields(losses));
  return lost === '' ? {} : { 'x-sluice-dropped': asHeader(lost) };
}

export function lostFields(losses: readonly Loss[]): string[] {
  return losses.length === 0 ? [] : [...new Set(losses.map(({ field }) => field))];
}

const MAX_LOGGED = 100;

/** Returns the lost fields for the log line, which contains a limited number. Clients and vendors choose the names. */
export function loggedFields(losses: readonly Loss[]): string[] {
  return lostFields(losses).slice(0, MAX_LOGGED);
}

/** Replaces characters that header values cannot contain. */
export function asHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

/**
 * Returns the upstream's processing time, which published SDKs show to their users. The upstream's rate limits are
 * omitted, because they concern only the operator.
 */
function relayedHeaders({ 'openai-processing-ms': ms }: Readonly<Record<string, string>>): Record<string, string> {
  return ms === undefined ? {} : { 'openai-processing-ms': ms };
}

/** Maximum header length, which common proxies accept. Clients choose the names in the list. */
const MAX_LIST = 2_000;

function shortList(names: readonly string[]): string {
  let list = '';
  for (const [index, name] of names.entries()) {
    const next = list === '' ? name : `${list}, ${name}`;
    if (next.length > MAX_LIST) return `${list}${list === '' ? '' : ', '}and ${names.length - index} more`;
    list = next;
  }
  return list;
}
