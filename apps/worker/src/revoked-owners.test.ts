import { randomBytes } from 'node:crypto';
import { createKeyStore } from '@sluice/access';
import { openRedis, testRedis } from '@sluice/testkit';
import { expect, it } from 'vitest';
import { revokedOwners } from './revoked-owners.ts';

it('an owner is revoked when their stored key is, and not when the configuration has a key of that name', async () => {
  const { redisUrl, prefix } = testRedis();
  const redis = openRedis(redisUrl);
  const logger = { error: () => undefined };
  const keys = createKeyStore({
    redis,
    prefix,
    logger,
    parseSettings: (settings) => settings,
    takenNames: new Set(),
    now: Date.now,
    randomBytes,
  });
  for (const name of ['alice', 'bob', 'carol']) await keys.create({ name, settings: {} });
  const isRevoked = revokedOwners({ redis, prefix, logger, configured: new Set(['carol']) });
  for (const name of ['bob', 'carol']) await keys.revoke(name);
  const told = ['alice', 'bob', 'carol', 'of-the-file'].map(isRevoked);
  expect(await Promise.all(told)).toEqual([false, true, false, false]);
  redis.disconnect();
  // Redis being away is no answer.
  await expect(isRevoked('bob')).rejects.toMatchObject({ code: 'store_unavailable' });
});
