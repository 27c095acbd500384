import type { MediaTask } from '@sluice/canonical';
import { type Config, gatewaySecret, webhookOrigins, webhookSettings } from '@sluice/config';
import { createEventEncoder } from '@sluice/protocols';
import { openRedisConnection, prefixOf, type RedisSettings } from '@sluice/redis';
import type { TaskWorker } from '@sluice/tasks';
import type { Logger, StepTrace, Tracing } from '@sluice/telemetry';
import { createGuardedPost } from '@sluice/upstreams';
import { createWebhookWorker, type EventInfo, forwardOutbox } from '@sluice/webhooks';
import { revokedOwners } from './revoked-owners.ts';

export interface StartWebhooksOptions {
  config: Config;
  settings: RedisSettings;
  tasks: Pick<TaskWorker, 'find'>;
  tracing?: Tracing | undefined;
  logger: Logger;
}

/** Starts the delivery of webhooks. */
export async function startWebhooks({ config, settings: server, tasks, tracing, logger }: StartWebhooksOptions) {
  const settings = webhookSettings(config);
  const secret = await gatewaySecret({ configured: config.server.secret, dataDir: config.dataDir });
  const { prefix } = config.redis;
  const redis = openRedisConnection({ redis: server, role: 'worker', logger });
  const shards = (server.shards ?? []).map((shard) => ({
    prefix: prefixOf(shard, prefix),
    redis: openRedisConnection({ redis: shard, role: 'worker', logger }),
  }));
  const forwarding = shards.map((shard) => {
    const prefixes = { shard: shard.prefix, home: prefix };
    return forwardOutbox({ shard: shard.redis, home: redis, prefixes, everyMs: settings.pollMs, logger });
  });
  const createPoster = (allowOrigins: string[]) => createGuardedPost({ allowOrigins, timeoutMs: settings.timeoutMs });
  let poster = createPoster(webhookOrigins(config));
  const configured = new Set(config.keys.map(({ name }) => name));
  const worker = createWebhookWorker({
    redis,
    prefix,
    secret,
    settings,
    post: (...call) => poster.post(...call),
    loadTask: (id) => tasks.find(id),
    isRevoked: revokedOwners({
      redis,
      prefix,
      configured,
      logger,
    }),
    encodeEvent: createEventEncoder(secret, config.server.public_url),
    startTrace: tracing && ((task, event) => traceDelivery(tracing, task, event)),
    logger,
  });
  return {
    /** Applies the origins and keys of a reloaded configuration. */
    update(next: Config): void {
      configured.clear();
      for (const { name } of next.keys) configured.add(name);
      // Attempts in flight keep the connections of the former poster, which close when they are idle.
      poster = createPoster(webhookOrigins(next));
    },
    /** Lets attempts in flight finish within `graceMs`, then stops. */
    async close(graceMs: number): Promise<void> {
      await Promise.all([worker.close(graceMs), ...forwarding.map((one) => one.close())]);
      await poster.close();
      for (const connection of [redis, ...shards.map((shard) => shard.redis)]) connection.disconnect();
    },
  };
}

function traceDelivery(tracing: Tracing, task: MediaTask, { id, type }: EventInfo): StepTrace | undefined {
  if (task.trace === undefined) return undefined;
  const attributes = { 'sluice.task.id': task.id, 'sluice.key.name': task.ownerId };
  const event = { 'sluice.webhook.event': type, 'sluice.webhook.event_id': id };
  return tracing.startStep(task.trace, { name: 'deliver webhook', attributes: { ...attributes, ...event } });
}
