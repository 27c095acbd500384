import { randomBytes } from 'node:crypto';
import { createKeyStore } from '@sluice/access';
import { openRedis, testRedis } from '@sluice/testkit';
import { expect, it } from 'vitest';
import { revokedOwners } from './revoked-owners.ts';

const logger = { error: () => undefined };

/** Opens the key store and a worker's check for revoked keys. @param configured names of the configured keys */
function openStore(configured: readonly string[] = []) {
  const { redisUrl, prefix } = testRedis();
  const redis = openRedis(redisUrl);
  const clock = { now: Date.now() };
  const keys = createKeyStore({
    redis,
    prefix,
    logger,
    parseSettings: (settings) => settings,
    takenNames: new Set(),
    now: () => clock.now,
    randomBytes,
  });
  const isRevoked = revokedOwners({ redis, prefix, logger, configured: new Set(configured) });
  return { redis, keys, clock, isRevoked };
}

it('reports an owner with a revoked stored key, unless the configuration has a key of that name', async () => {
  const { redis, keys, isRevoked } = openStore(['carol']);
  for (const name of ['alice', 'bob', 'carol']) await keys.create({ name, settings: {} });
  for (const name of ['bob', 'carol']) await keys.revoke(name);
  const results = ['alice', 'bob', 'carol', 'of-the-file'].map(isRevoked);
  expect(await Promise.all(results)).toEqual([false, true, false, false]);
  redis.disconnect();
  // A Redis outage must not make a revoked key look active.
  await expect(isRevoked('bob')).rejects.toMatchObject({ code: 'store_unavailable' });
});

it('does not report an owner whose key is rotated or expired before it is revoked', async () => {
  const { redis, keys, clock, isRevoked } = openStore();
  await keys.create({ name: 'rotated', settings: {} });
  await keys.rotate('rotated', 0);
  expect(await isRevoked('rotated')).toBe(false);
  await keys.create({ name: 'expired', settings: {}, expiresAt: clock.now + 1_000 });
  // After this long, the next change archives the expired key.
  clock.now += 48 * 3_600_000;
  await keys.create({ name: 'another', settings: {} });
  expect(await keys.listLive()).not.toContainEqual(expect.objectContaining({ name: 'expired' }));
  expect(await isRevoked('expired')).toBe(false);
  await keys.revoke('expired');
  expect(await isRevoked('expired')).toBe(true);
  redis.disconnect();
});
