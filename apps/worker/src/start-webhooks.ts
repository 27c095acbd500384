import type { MediaTask } from '@sluice/canonical';
import { type Config, gatewaySecret, webhookOrigins, webhookSettings } from '@sluice/config';
import { createEventEncoder } from '@sluice/protocols';
import { openRedisConnection, type TaskWorker } from '@sluice/tasks';
import type { Logger, StepTrace, Tracing } from '@sluice/telemetry';
import { createGuardedPost } from '@sluice/upstreams';
import { createWebhookWorker, type EventInfo } from '@sluice/webhooks';
import { revokedOwners } from './revoked-owners.ts';

export interface StartWebhooksOptions {
  config: Config;
  redisUrl: string;
  tasks: Pick<TaskWorker, 'find'>;
  tracing?: Tracing | undefined;
  logger: Logger;
}

/** Starts the delivery of webhooks. */
export async function startWebhooks({ config, redisUrl, tasks, tracing, logger }: StartWebhooksOptions) {
  const settings = webhookSettings(config);
  const secret = await gatewaySecret({ configured: config.server.secret, dataDir: config.dataDir });
  const redis = openRedisConnection({ url: redisUrl, role: 'worker', logger });
  const poster = createGuardedPost({ allowOrigins: webhookOrigins(config), timeoutMs: settings.timeoutMs });
  const worker = createWebhookWorker({
    redis,
    prefix: config.redis.prefix,
    secret,
    settings,
    post: poster.post,
    loadTask: (id) => tasks.find(id),
    isRevoked: revokedOwners({
      redis,
      prefix: config.redis.prefix,
      configured: new Set(config.keys.map(({ name }) => name)),
      logger,
    }),
    encodeEvent: createEventEncoder(secret, config.server.public_url),
    startTrace: tracing && ((task, event) => traceDelivery(tracing, task, event)),
    logger,
  });
  return {
    /** Lets attempts in flight finish within `graceMs`, then stops. */
    async close(graceMs: number): Promise<void> {
      await worker.close(graceMs);
      await poster.close();
      redis.disconnect();
    },
  };
}

function traceDelivery(tracing: Tracing, task: MediaTask, { id, type }: EventInfo): StepTrace | undefined {
  if (task.trace === undefined) return undefined;
  const attributes = { 'sluice.task.id': task.id, 'sluice.key.name': task.ownerId };
  const event = { 'sluice.webhook.event': type, 'sluice.webhook.event_id': id };
  return tracing.startStep(task.trace, { name: 'deliver webhook', attributes: { ...attributes, ...event } });
}
