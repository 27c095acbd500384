import { CLIENTS } from './clients/index.ts';
import type { ClientKind, Protocol } from './text-client.ts';

/** A model of the sandbox, and what its upstream speaks. */
export interface UpstreamModel {
  model: string;
  protocol: Protocol;
}

/** The models that are there without any configuration. */
export const UPSTREAMS: readonly UpstreamModel[] = [
  { model: 'sandbox-chat', protocol: 'chat-completions' },
  { model: 'sandbox-responses', protocol: 'responses' },
  { model: 'sandbox-messages', protocol: 'messages' },
  { model: 'sandbox-generative', protocol: 'generative-content' },
];

/** A client and an upstream. */
export interface Pair {
  /** For test names. */
  pair: string;
  client: ClientKind;
  upstream: UpstreamModel;
}

/** Every client with every upstream. */
export const PAIRS: readonly Pair[] = CLIENTS.flatMap((client) =>
  UPSTREAMS.map((upstream) => ({ pair: `${client.name} → ${upstream.model}`, client, upstream })),
);

/** A PNG of one pixel. */
export const PIXEL = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
} as const;
