import { type GroupWorker, startGroupWorker } from '@sluice/groups';
import { groupSettings } from '@sluice/config';
import { createLogger } from '@sluice/telemetry';
import { openRedis } from '@sluice/testkit';
import { type ApiRig, KEYS } from '../api-rig.ts';

/** Creates and follows the videos of a rig's groups through the rig's API. */
export function startGroups({ config, tasks, origin }: ApiRig): GroupWorker {
  const redis = openRedis(tasks.redisUrl);
  const worker = startGroupWorker({
    redis,
    prefix: config.redis.prefix,
    settings: { ...groupSettings(config), pollMs: 20, leaseMs: 30_000 },
    async serve({ owner, path, headers: { host: _host, ...headers }, body, signal }) {
      // The cast is safe because the keys of the rig own all groups.
      const authorization = `Bearer ${KEYS[owner as keyof typeof KEYS]}`;
      const content = body !== undefined && { 'content-type': 'application/json' };
      const sent = { method: 'POST', headers: { ...headers, ...content, authorization }, signal };
      const response = await fetch(origin + path, { ...sent, ...(body !== undefined && { body }) });
      const { status, body: stream } = response;
      return { status, headers: Object.fromEntries(response.headers), body: stream ?? emptyBody() };
    },
    // The cast is safe because only Alice creates groups whose videos are followed.
    findTask: (id) => tasks.engine.find('alice', id),
    logger: createLogger({ level: 'silent', name: 'groups' }),
  });
  return {
    async close(graceMs) {
      await worker.close(graceMs);
      redis.disconnect();
    },
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
