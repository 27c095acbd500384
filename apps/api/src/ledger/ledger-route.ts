import type { Endpoint } from '@sluice/protocols';

/** An endpoint whose requests have entries in the ledger. */
export interface LedgerRoute {
  /** The method and the pattern of the path, e.g. `POST /v1/chat/completions`. */
  endpoint: string;
  protocol: string;
  /** Both as members of a JSON object. */
  json: string;
}

/** Actions that can use a model. */
const ACTIONS: ReadonlySet<Endpoint['action']> = new Set([
  'text.generate',
  'text.complete',
  'text.count-tokens',
  'responses.create',
  'responses.compact',
  'responses.count-tokens',
  'embedding.create',
  'rerank.create',
  'moderation.create',
  'speech.create',
  'transcription.create',
  'translation.create',
  'video.create',
  'video.remix',
  'image.create',
  'realtime.connect',
] satisfies Endpoint['action'][]);

/** Whether the requests of an endpoint have entries. */
export function isLedgered({ action }: { action?: string }): boolean {
  return ACTIONS.has(action as Endpoint['action']);
}

/** @returns undefined if the endpoint's requests have no entries */
export function ledgerRouteOf(endpoint: Endpoint): LedgerRoute | undefined {
  const { action, method, path, verb } = endpoint;
  if (!ACTIONS.has(action)) return undefined;
  const pattern = `${method} ${path}${verb === undefined ? '' : `:${verb}`}`;
  const { name: protocol } = endpoint.protocol;
  return { endpoint: pattern, protocol, json: `"endpoint":${JSON.stringify(pattern)},"protocol":"${protocol}"` };
}
