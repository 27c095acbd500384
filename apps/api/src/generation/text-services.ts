import type { TextProtocolName } from '@sluice/canonical';
import type { Config, ModelCapability, ModelCatalog } from '@sluice/config';
import type { TokenCodec, TextEndpoint, TextProtocol } from '@sluice/protocols';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import type { Charges } from '../metering/charges.ts';
import type { FallbackOptions } from '../routing/with-fallback.ts';
import type { CircuitBreakers } from '../routing/circuit-breaker.ts';
import type { Affinity } from '../routing/affinity.ts';
import type { BackgroundResponses } from '../responses/background-responses.ts';
import type { ReasoningMemory } from './reasoning/reasoning-memory.ts';
import type { ResponseStore } from '../responses/store/response-store.ts';

/** What text is served with. */
export interface GenerationDeps {
  catalog: ModelCatalog;
  /** The upstreams, built and as configured. */
  accounts: Upstreams['accounts'];
  upstreams: Config['upstreams'];
  /** Fetches a picture that a client has named by URL, guarded. */
  fetchInput: Upstreams['fetchInput'];
  protocols: Readonly<Record<TextProtocolName, TextProtocol>>;
  /** Those of text. */
  breakers: CircuitBreakers;
  /** How targets are tried for one client: with the breakers, and a line and a count for each that failed. */
  fallback: (signal: AbortSignal, capability?: ModelCapability) => FallbackOptions;
  charges: Charges;
  affinity: Affinity;
  tokenCodec: TokenCodec;
  /** What compaction items are sealed with. */
  secret: string;
  memory: ReasoningMemory;
  responses: ResponseStore;
  /** Silence after which a stream is kept alive, milliseconds. */
  keepAliveMs: number;
  /** Longest whole answer that is read, bytes. */
  responseBytes: number;
  logger: Logger;
  metrics: Metrics;
  /** Unix milliseconds. */
  now: () => number;
  /** An unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  background: BackgroundResponses;
}

/** One call of a text endpoint. */
export interface TextCall {
  endpoint: TextEndpoint;
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}
