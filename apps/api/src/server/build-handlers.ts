import { join } from 'node:path';
import { type Config, type ModelCatalog, modelCatalog, webhookOrigins } from '@sluice/config';
import type { Limiter } from '@sluice/limits';
import type { PriceBook } from '@sluice/prices';
import { createEventEncoder, createTokenCodec } from '@sluice/protocols';
import type { ContentStore, TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { Webhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { CallerOf } from '../auth/authenticate.ts';
import type { EndpointHandlers } from '../auth/client-call.ts';
import { directHandlers } from '../direct/direct-handlers.ts';
import { Spool } from '../direct/spooled-file.ts';
import type { GenerationDeps } from '../generation/generation-deps.ts';
import { createReasoningMemory } from '../generation/reasoning/reasoning-memory.ts';
import { createTextKeys } from '../generation/reasoning/text-keys.ts';
import { buildContentLinks } from '../media/content-links.ts';
import { imageHandlers } from '../media/image-handlers.ts';
import type { MediaDeps } from '../media/media-deps.ts';
import { videoHandlers } from '../media/video-handlers.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Charges } from '../metering/charges.ts';
import { modelHandlers } from '../models/model-handlers.ts';
import { createRealtime } from '../realtime/create-realtime.ts';
import { realtimeHandlers } from '../realtime/realtime-handlers.ts';
import type { BackgroundResponses } from '../responses/background-responses.ts';
import { responseHandlers } from '../responses/response-handlers.ts';
import { createResponseStore } from '../responses/store/response-store.ts';
import { createAffinity } from '../routing/affinity.ts';
import { createFallback } from '../routing/create-fallback.ts';
import { createTextTargets } from '../routing/targets.ts';
import { textHandlers } from '../text/text-handlers.ts';
import { webhookHandlers } from '../webhooks/webhook-handlers.ts';

export interface HandlerOptions {
  config: Config;
  engine: TaskEngine;
  content: ContentStore;
  upstreams: Upstreams;
  redis: Redis;
  secret: string;
  logger: Logger;
  metrics: Metrics;
  now: () => number;
  stopping: AbortSignal;
  newId: (prefix: string) => string;
  callerOf: CallerOf;
  charges: Charges;
  limiter: Pick<Limiter, 'spending'>;
  prices: PriceBook;
  ledger: Ledger;
  background: BackgroundResponses;
  webhooks: Webhooks;
  testWaitMs: number;
}

export function buildHandlers(app: FastifyInstance, options: HandlerOptions): EndpointHandlers {
  const { config, upstreams, redis, secret, logger, metrics, now, stopping, newId, callerOf, charges } = options;
  const { prices, ledger, background, webhooks, testWaitMs } = options;
  const { accounts } = upstreams;
  const catalog = modelCatalog(config);
  const keys = createTextKeys(config.redis.prefix);
  const origins = new Set(webhookOrigins(config));
  const fallback = createFallback({ settings: config.routing, accounts, logger, metrics, now });
  const shared = { catalog, accounts, charges, newId, logger, metrics };
  const generation: GenerationDeps = {
    ...shared,
    targetsOf: createTextTargets({ accounts, upstreams: config.upstreams }),
    fetchInput: upstreams.fetchInput,
    fallback: (call, operation) => fallback(call, 'text', operation),
    affinity: createAffinity({ now, metrics }),
    tokenCodec: createTokenCodec(secret),
    memory: createReasoningMemory(redis, keys, logger),
    keepAliveMs: config.timeouts.keep_alive_ms,
    responseBytes: config.limits.answer_bytes,
    now,
  };
  const responses = createResponseStore(redis, keys, { retentionMs: config.responses.retention_ms });
  const defaultModels = { moderation: config.defaults.moderation_model };
  const spool = new Spool(join(config.contentDir, 'spool'), config.limits.spool_bytes);
  const media = mediaDeps(options, catalog, origins);
  return {
    ...textHandlers(generation),
    ...responseHandlers({ ...generation, responses, secret, background, prices, ledger }),
    ...modelHandlers({ catalog, accounts }),
    ...videoHandlers(media),
    ...imageHandlers(media),
    ...directHandlers({ ...shared, fallback, callerOf, defaultModels, forms: { limits: config.limits, spool } }),
    ...realtimeHandlers({
      ...shared,
      ...createRealtime(app, config, stopping),
      callerOf,
      fallback: (call) => fallback(call, 'realtime'),
    }),
    ...webhookHandlers({
      webhooks,
      engine: options.engine,
      encodeEvent: createEventEncoder(secret, config.server.public_url),
      origins,
      testWaitMs,
      stopping,
    }),
  };
}

function mediaDeps(options: HandlerOptions, catalog: ModelCatalog, callbackOrigins: ReadonlySet<string>): MediaDeps {
  const { limiter, prices, config, engine, content, upstreams, secret, logger, metrics, now } = options;
  const { stopping, callerOf, charges } = options;
  return {
    callerOf,
    engine,
    content,
    catalog,
    accounts: upstreams.accounts,
    charges,
    prices,
    limiter,
    defaultModels: { video: config.defaults.video_model, image: config.defaults.image_model },
    limits: config.limits,
    links: buildContentLinks({
      secret,
      publicUrl: config.server.public_url,
      retentionMs: config.tasks.retention_ms,
      now,
    }),
    callbackOrigins,
    imageOrigins: new Set(config.download.allow.map((url) => new URL(url).origin)),
    imageWaitMs: config.timeouts.image_wait_ms,
    metrics,
    keepAliveMs: config.timeouts.keep_alive_ms,
    logger,
    stopping,
  };
}
