import { openRedisConnection } from '@sluice/redis';
import { type RedisProgram, type RedisProxy, startRedisProgram, startRedisProxy } from '@sluice/testkit';
import { createLogger } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyspace } from './keyspace.ts';
import { NotReplicatedError, openReplicatedWrites, ReplicatedWrites } from './replicated-writes.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const keys = createKeyspace('replicated');
let primary: RedisProgram;
let replica: RedisProgram;
let proxy: RedisProxy;
let writes: ReplicatedWrites;

beforeEach(async () => {
  primary = await startRedisProgram({ args: ['--save', '', '--repl-diskless-sync-delay', '0'] });
  replica = await startRedisProgram({ args: ['--save', '', '--replicaof', '127.0.0.1', String(primary.port)] });
  proxy = await startRedisProxy(`redis://127.0.0.1:${primary.port}`);
  const redis = openRedisConnection({ redis: { url: proxy.url }, role: 'replicated', pipelines: false, logger });
  writes = new ReplicatedWrites({ redis, keys, replicas: 1 });
  await writes.ready(10_000);
  const client = replica.connect();
  await expect.poll(() => client.info('replication')).toContain('master_link_status:up');
  client.disconnect();
});
afterEach(async () => {
  writes.close();
  await proxy.close();
  replica.resume();
  await Promise.all([replica.stop(), primary.stop()]);
});

describe('ReplicatedWrites', () => {
  it('returns when the replica has the write', async () => {
    expect(await writes.run((redis) => redis.incr('count'))).toBe(1);
    const client = replica.connect();
    expect(await client.get('count')).toBe('1');
    client.disconnect();
  });

  it('confirms concurrent writes together', async () => {
    const counts = await Promise.all(Array.from({ length: 200 }, () => writes.run((redis) => redis.incr('count'))));
    expect(new Set(counts).size).toBe(200);
    const client = primary.connect();
    const stats = await client.info('commandstats');
    client.disconnect();
    expect(Number(/cmdstat_wait:calls=(\d+)/.exec(stats)?.[1])).toBeLessThan(50);
  });

  it('rejects a write that no replica confirms', async () => {
    replica.pause();
    await expect(writes.run((redis) => redis.incr('count'))).rejects.toThrow('Only 0 of 1 replicas confirmed a write.');
  });

  it('rejects a write if the connection was lost before its confirmation', async () => {
    const written = writes.run(async (redis) => {
      const count = await redis.incr('count');
      proxy.set({ kind: 'reset' });
      await redis.ping().catch(() => undefined);
      proxy.set({ kind: 'none' });
      await expect.poll(() => redis.status).toBe('ready');
      return count;
    });
    await expect(written).rejects.toThrow(NotReplicatedError);
    expect(await writes.run((redis) => redis.incr('count'))).toBe(2);
  });

  it('is absent if the configuration requires no replicas', () => {
    expect(openReplicatedWrites({ redis: { url: proxy.url, replicas: 0 }, keys, logger })).toBeUndefined();
  });
});
