import type { Loss } from '@sluice/canonical';

export interface Served {
  target: { upstream: string; model: string };
  relayed: boolean;
  losses?: readonly Loss[];
  headers?: Readonly<Record<string, string>> | undefined;
}

export function servedHeaders({ target, relayed, losses = [], headers = {} }: Served): Record<string, string> {
  const lost = shortList(lostFields(losses));
  return {
    ...(relayed && relayedHeaders(headers)),
    'x-sluice-upstream': target.upstream,
    'x-sluice-model': asHeader(target.model),
    ...(lost !== '' && { 'x-sluice-dropped': asHeader(lost) }),
  };
}

export function lostFields(losses: readonly Loss[]): string[] {
  return [...new Set(losses.map(({ field }) => field))];
}

/** Header values contain visible ASCII only. */
export function asHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

/** The upstream's duration, which published SDKs show to their users. Its rate limits are the operator's. */
function relayedHeaders({ 'openai-processing-ms': ms }: Readonly<Record<string, string>>): Record<string, string> {
  return ms === undefined ? {} : { 'openai-processing-ms': ms };
}

/** Header length that common proxies accept; clients choose the names. */
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
