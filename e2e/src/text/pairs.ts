import { CLIENTS } from './clients/index.ts';
import type { ClientKind, Protocol } from './clients/text-client.ts';

/** A model of the sandbox, and the protocol of the model's upstream. */
export interface UpstreamModel {
  model: string;
  protocol: Protocol;
}

export const UPSTREAMS: readonly UpstreamModel[] = [
  { model: 'sandbox-chat', protocol: 'chat-completions' },
  { model: 'sandbox-responses', protocol: 'responses' },
  { model: 'sandbox-messages', protocol: 'messages' },
  { model: 'sandbox-generative', protocol: 'generative-content' },
];

export interface Pair {
  /** Names of the client and the upstream model, used as a test title. */
  pair: string;
  client: ClientKind;
  upstream: UpstreamModel;
}

export const PAIRS: readonly Pair[] = CLIENTS.flatMap((client) =>
  UPSTREAMS.map((upstream) => ({ pair: `${client.name} → ${upstream.model}`, client, upstream })),
);

export const PIXEL = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
} as const;
