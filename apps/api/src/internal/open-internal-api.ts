import { type Config, upstreamSettings } from '@sluice/config';
import type { ContentStore } from '@sluice/content';
import type { RedisSettings } from '@sluice/redis';
import { createTaskEngine } from '@sluice/tasks';
import type { Logger, Metrics, Tracing } from '@sluice/telemetry';
import { buildUpstreams, type UpstreamConnections } from '@sluice/upstreams';
import { engineSettings } from '../server/engine-settings.ts';
import { firstConnection, openTextRedis } from '../server/open-redis.ts';
import { type InternalApi, startInternalApi } from './start-internal-api.ts';

export interface OpenInternalApiOptions {
  config: Config;
  redis: RedisSettings;
  content: ContentStore;
  /** The caller closes them. */
  connections: UpstreamConnections;
  secret: string;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

export interface OpenedInternalApi extends Pick<InternalApi, 'serve' | 'close'> {
  /** Serves later requests with another configuration. @param changed names of upstreams that differ */
  apply(this: void, config: Config, changed: readonly string[]): Promise<void>;
}

/** Starts the internal API of a process that is not the API, with connections to Redis of its own. */
export async function openInternalApi(options: OpenInternalApiOptions): Promise<OpenedInternalApi> {
  const { config, content, connections, secret, logger, metrics, tracing } = options;
  const commandTimeoutMs = config.timeouts.redis_ms;
  const upstreamsOf = (version: Config) => buildUpstreams({ ...upstreamSettings(version), logger, connections });
  const engine = await createTaskEngine({
    redis: options.redis,
    prefix: config.redis.prefix,
    ...engineSettings(config),
    commandTimeoutMs,
    logger,
  });
  const redis = openTextRedis({ settings: options.redis, commandTimeoutMs, logger });
  await firstConnection(redis, commandTimeoutMs);
  const upstreams = upstreamsOf(config);
  const now = Date.now;
  const api = await startInternalApi({
    config,
    engine,
    content,
    redis,
    secret,
    logger,
    metrics,
    tracing,
    upstreams,
    now,
  });
  return {
    serve: api.serve,
    async apply(next, changed) {
      await api.apply(next, upstreamsOf(next), changed);
      engine.update(engineSettings(next));
    },
    async close(graceMs) {
      await api.close(graceMs);
      await engine.close();
      redis.disconnect();
    },
  };
}
