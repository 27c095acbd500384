import { encodeTaskEvent } from '@sluice/protocols';
import { openRedisConnection } from '@sluice/redis';
import { createLogger } from '@sluice/telemetry';
import { createGuardedPost } from '@sluice/upstreams';
import { createWebhookWorker } from '@sluice/webhooks';
import type { ApiRig } from '../api-rig.ts';

export interface Deliveries {
  close(): Promise<void>;
}

/**
 * Delivers a key's webhooks. Every host resolves to loopback, so the URL guard rejects each delivery and nothing is
 * sent.
 */
export function deliverWebhooks(rig: ApiRig, owner: string): Deliveries {
  const logger = createLogger({ level: 'silent', name: 'test' });
  const { redisUrl, prefix, engine, settings } = rig.tasks;
  const redis = openRedisConnection({ redis: { url: redisUrl }, role: 'worker', logger });
  const poster = createGuardedPost({
    allowOrigins: [],
    timeoutMs: 5_000,
    resolve: (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const worker = createWebhookWorker({
    redis,
    prefix,
    secret: 'a secret of the rig',
    settings: {
      retryMs: [],
      timeoutMs: 5_000,
      leaseMs: 20_000,
      pollMs: 20,
      rotationMs: 60_000,
      concurrency: 8,
      perHost: 4,
      perOwner: 16,
      perKey: 100,
      retentionMs: settings.retentionMs,
    },
    post: poster.post,
    loadTask: (id) => engine.find(owner, id),
    isRevoked: () => Promise.resolve(false),
    encodeEvent: (subject, event) =>
      JSON.stringify(
        'kind' in subject ? encodeTaskEvent(subject, event, (index) => `https://link.test/${index}`) : subject,
      ),
    logger,
  });
  return {
    async close() {
      await worker.close(5_000);
      await poster.close();
      redis.disconnect();
    },
  };
}
