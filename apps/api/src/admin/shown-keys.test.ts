import { randomBytes } from 'node:crypto';
import { createKeyStore } from '@sluice/access';
import { createLogger } from '@sluice/telemetry';
import { openRedis } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

describe('a stored key next to configured keys', () => {
  it('lists its unknown models', async () => {
    const models = ['video', 'vidoe', 'gpt-*'];
    const { body } = await rig.admin('POST', 'keys', { name: 'speller', models });
    expect(body).toMatchObject({ models, unknown_models: ['vidoe'] });
    const { body: updated } = await rig.admin('PATCH', 'keys/speller', { models: ['video'] });
    expect(updated).not.toHaveProperty('unknown_models');
  });

  it('is reported as shadowed by a configured key of the same name, and pagination ends', async () => {
    const { redisUrl, prefix } = rig.tasks;
    const redis = openRedis(redisUrl);
    await redis.hdel(`{${prefix}}:key-names`, 'bob');
    const logger = createLogger({ level: 'silent', name: 'test' });
    const itemUpstream = { redis, prefix, takenNames: new Set<string>(), now: Date.now, randomBytes, logger };
    const store = createKeyStore({ ...itemUpstream, parseSettings: (settings) => settings });
    const { record } = await store.create({ name: 'bob', settings: {} });
    redis.disconnect();
    expect((await rig.admin('GET', `keys/${record.id}`)).body).toMatchObject({ name: 'bob', status: 'shadowed' });
    expect((await rig.admin('GET', 'keys/bob')).body).toMatchObject({ source: 'configuration', status: 'active' });
    const seen: unknown[] = [];
    for (let after = '', more: unknown = true; more === true && seen.length < 100;) {
      const { body } = await rig.admin('GET', `keys?limit=1${after}`);
      // The cast is safe because the response is a list page.
      const [key] = body['data'] as { name: string; id?: string }[];
      seen.push(key?.id ?? key?.name);
      after = `&after=${key?.id ?? key?.name}`;
      more = body['has_more'];
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(record.id);
    expect((await rig.admin('DELETE', `keys/${record.id}`)).body).toMatchObject({ status: 'revoked' });
  });
});
