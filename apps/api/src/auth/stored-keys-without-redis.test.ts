import { taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DeploymentRig, deploymentRig } from '../../test/deployment-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type PausableRedis, startPausableRedis } from '../../test/pausable-redis.ts';

let redisUrl: string;
let deployment: DeploymentRig;
let start: DeploymentRig['start'];
beforeEach(() => {
  deployment = deploymentRig();
  ({ redisUrl, start } = deployment);
});
afterEach(() => deployment.close());

describe('an API without Redis', () => {
  let proxy: PausableRedis;
  beforeEach(async () => {
    proxy = await startPausableRedis(redisUrl);
  });
  afterEach(() => proxy.cut());

  it('serves known keys, creates none, and rejects unknown keys', async () => {
    const away = await start({ redisUrl: proxy.url });
    const key = await away.createKey('app');
    await proxy.cut();
    await expect.poll(async () => (await away.admin('GET', 'keys')).status).toBe(503);
    expect(await away.statusWith(key)).toBe(200);
    expect(await away.statusWith(KEYS.alice)).toBe(200);
    expect(await away.statusWith('sk-sluice-unknown')).toBe(401);
    for (const [method, at, body] of [
      ['POST', 'keys', { name: 'new' }],
      ['PATCH', 'keys/app', {}],
      ['DELETE', 'keys/app', undefined],
      ['POST', 'keys/app/rotate', {}],
    ] as const) {
      const response = await away.admin(method, at, body);
      expect(response).toMatchObject({ status: 503, body: { error: { code: 'store_unavailable' } } });
    }
    expect((await away.admin('GET', 'keys/alice')).status).toBe(200);
  });

  it('declares the task limit of a configured key once Redis is back', async () => {
    const tasks = await taskRig();
    const declared: [string, number | undefined][] = [];
    let isAway = true;
    const engine = new Proxy(tasks.engine, {
      get: (target, property) => {
        if (property !== 'capOwners') return Reflect.get(target, property, target) as unknown;
        return (caps: ReadonlyMap<string, number | undefined>) => {
          if (isAway) return Promise.reject(new Error('away'));
          declared.push(...caps);
          return Promise.resolve();
        };
      },
    });
    const keys = [{ name: 'busy', key: 'sk-configured-busy', limits: { concurrent_tasks: 2 } }];
    const rig = await start({ engine, config: { keys } });
    expect(declared).toEqual([]);
    isAway = false;
    await rig.createKey('app', { limits: { concurrent_tasks: 3 } });
    await expect.poll(() => declared).toContainEqual(['busy', 2]);
    expect(declared).toContainEqual(['app', 3]);
    await tasks.close();
  });

  it('starts and serves configured keys at once, and stored keys once Redis is back', async () => {
    const rig = await start();
    const key = await rig.createKey('app');
    proxy.dropsReplies = true;
    const late = await start({ redisUrl: proxy.url });
    expect(await late.statusWith(KEYS.alice)).toBe(200);
    // The key may exist in Redis, so it is not rejected as invalid.
    const unknown = await late.call('/v1/models', { headers: { 'x-api-key': key } });
    expect(unknown.status).toBe(503);
    expect(unknown.headers.get('retry-after')).toBe('1');
    expect(await unknown.json()).toMatchObject({ error: { code: 'store_unavailable' } });
    expect((await late.call('/v1/models', { headers: {} })).status).toBe(401);
    proxy.dropsReplies = false;
    await expect.poll(() => late.statusWith(key)).toBe(200);
    expect(await late.statusWith('sk-sluice-unknown')).toBe(401);
    await rig.admin('DELETE', 'keys/app');
    await expect.poll(() => late.statusWith(key)).toBe(401);
  });
});
