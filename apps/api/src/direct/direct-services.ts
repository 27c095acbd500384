import type { DirectKind } from '@sluice/canonical';
import type { ModelCapability, ModelCatalog } from '@sluice/config';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import type { Charges } from '../metering/charges.ts';
import type { FormDeps } from './audio-form.ts';
import type { FallbackOptions } from '../routing/with-fallback.ts';

/** What direct calls are served with. */
export interface DirectDeps {
  catalog: ModelCatalog;
  accounts: Upstreams['accounts'];
  /** How targets are tried for one client: with the breakers, and a line and a count for each that failed. */
  fallback: (signal: AbortSignal, capability?: ModelCapability) => FallbackOptions;
  charges: Charges;
  /** The models of requests that name none, by what is wished for. */
  defaultModels: Partial<Record<DirectKind, string | undefined>>;
  /** Who is calling, by the keys as they are now. @throws GatewayError `invalid_api_key` */
  callerOf(request: FastifyRequest): ApiKey;
  /** How forms with audio are read. */
  forms: FormDeps;
  /** An unguessable id: prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  logger: Logger;
  metrics: Metrics;
}

/** One call of a direct endpoint. */
export interface DirectClientCall {
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}
