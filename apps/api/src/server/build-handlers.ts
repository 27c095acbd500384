import { batchSettings, type Config, type ModelCatalog, webhookOrigins } from '@sluice/config';
import type { PriceBook } from '@sluice/prices';
import { createEventEncoder } from '@sluice/protocols';
import type { Upstreams } from '@sluice/upstreams';
import type { ApiKey } from '../auth/api-keys.ts';
import type { CallerOf } from '../auth/authenticate.ts';
import type { EndpointHandlers } from '../auth/client-call.ts';
import { findOwner } from '../auth/find-owner.ts';
import { batchHandlers } from '../batches/batch-handlers.ts';
import type { BatchesDeps } from '../batches/batches-deps.ts';
import { directHandlers } from '../direct/direct-handlers.ts';
import { fileHandlers } from '../files/file-handlers.ts';
import { resumableHandlers } from '../files/resumable-upload.ts';
import { uploadHandlers } from '../files/upload-handlers.ts';
import { createUploadLinks } from '../files/upload-links.ts';
import type { FilesDeps } from '../files/files-deps.ts';
import type { GenerationDeps } from '../generation/generation-deps.ts';
import { requestOrigin } from '../http/public-url.ts';
import { buildContentLinks } from '../media/content-links.ts';
import { groupHandlers } from '../media/groups/group-handlers.ts';
import { imageHandlers } from '../media/image-handlers.ts';
import type { MediaDeps } from '../media/media-deps.ts';
import { videoHandlers } from '../media/video-handlers.ts';
import type { Charges } from '../metering/charges.ts';
import { modelHandlers } from '../models/model-handlers.ts';
import { createRealtime } from '../realtime/create-realtime.ts';
import { realtimeHandlers } from '../realtime/realtime-handlers.ts';
import { responseHandlers } from '../responses/response-handlers.ts';
import { createResponseStore } from '../responses/store/response-store.ts';
import { createTextTargets } from '../routing/targets.ts';
import { textHandlers } from '../text/text-handlers.ts';
import { webhookHandlers } from '../webhooks/webhook-handlers.ts';
import type { Services } from './create-services.ts';

export interface HandlerOptions extends Services {
  config: Config;
  upstreams: Upstreams;
  catalog: ModelCatalog;
  prices: PriceBook;
  callerOf: CallerOf;
  charges: Charges;
}

/** Builds the handlers of one version of the configuration. */
export function buildHandlers(options: HandlerOptions): EndpointHandlers {
  const { config, upstreams, catalog, secret, logger, metrics, now, stopping, newId, callerOf, charges } = options;
  const { redis, textKeys, credentials, prices, webhooks, testWaitMs, spool } = options;
  const { accounts } = upstreams;
  const { open: fallback } = options.routing;
  const origins = new Set(webhookOrigins(config));
  const shared = { catalog, accounts, credentials, charges, newId, logger, metrics };
  const generation: GenerationDeps = {
    ...shared,
    targetsOf: createTextTargets({ accounts, credentials, upstreams: config.upstreams }),
    fetchInput: upstreams.fetchInput,
    files: options.files,
    vendorUploadBytes: config.files.vendor_upload_bytes,
    fallback: (call, operation) => fallback(call, 'text', operation),
    affinity: options.affinity,
    tokenCodec: options.tokenCodec,
    memory: options.memory,
    keepAliveMs: config.timeouts.keep_alive_ms,
    responseBytes: config.limits.answer_bytes,
    now,
  };
  const { retention_ms: retentionMs, log_bytes: logBytes } = config.responses;
  const responses = createResponseStore(redis, textKeys, { prefix: config.redis.prefix, retentionMs, logBytes });
  const keepsCopies = config.responses.store === 'gateway';
  const defaultModels = { moderation: config.defaults.moderation_model };
  const media = mediaDeps(options, origins);
  const { files, content } = options;
  const publicUrl = config.server.public_url?.replace(/\/+$/, '');
  const originOf: FilesDeps['originOf'] = (request) => publicUrl ?? requestOrigin(request) ?? '';
  const limits = { ...config.limits, ...config.files };
  const filesDeps: FilesDeps = { files, content, newId, logger, limits, originOf };
  const keyOf = (name: string): ApiKey | undefined => findOwner(name, config.keys, options.storedKeys);
  return {
    ...textHandlers(generation),
    ...responseHandlers({ ...generation, responses, keepsCopies, secret, prices }),
    ...modelHandlers({ catalog, accounts }),
    ...videoHandlers(media),
    ...imageHandlers(media),
    ...groupHandlers({ ...media, files, groups: options.groups, maxVideos: config.video_groups.max_videos }),
    ...directHandlers({ ...shared, fallback, callerOf, defaultModels, forms: { limits: config.limits, spool } }),
    ...realtimeHandlers({
      ...shared,
      ...createRealtime(options.sessions, config),
      callerOf,
      fallback: (call) => fallback(call, 'realtime'),
    }),
    ...fileHandlers(filesDeps),
    ...uploadHandlers(filesDeps),
    ...resumableHandlers({ ...filesDeps, links: createUploadLinks(secret), callerOf, keyOf }),
    ...batchHandlers(batchesDeps(options, originOf)),
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

function batchesDeps(options: HandlerOptions, originOf: BatchesDeps['originOf']): BatchesDeps {
  const { batches, files, catalog, prices, limiter, tokenCodec, newId, config } = options;
  const { video_model: video, image_model: image, moderation_model: moderation } = config.defaults;
  return {
    batches,
    files,
    catalog,
    prices,
    limiter,
    tokenCodec,
    newId,
    originOf,
    defaultModels: { video, image, moderation },
    limits: {
      ...batchSettings(config),
      requestBytes: config.limits.json_bytes,
      maxWindowMs: config.batches.max_window_ms,
    },
  };
}

function mediaDeps(options: HandlerOptions, callbackOrigins: ReadonlySet<string>): MediaDeps {
  const { limiter, prices, catalog, config, engine, content, files, upstreams, secret, logger, metrics, now } = options;
  const { stopping, callerOf, charges, credentials } = options;
  return {
    callerOf,
    engine,
    content,
    files,
    catalog,
    accounts: upstreams.accounts,
    credentials,
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
