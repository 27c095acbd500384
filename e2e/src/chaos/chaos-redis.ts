import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { type RedisProgram, startSentinelGroup } from '@sluice/testkit';
import { killRedis, startOwnRedis } from '../own-redis.ts';
import type { RedisKind } from './plan-chaos.ts';

/** The Redis of a chaos run. */
export interface ChaosRedis {
  /** The section `redis` of the configuration. Undefined if `REDIS_URL` names the server. */
  section?: Record<string, unknown>;
  /** Returns the URLs of the home and of the other shards. */
  urls(this: void): string[];
  /** Kills a server. Resolves when clients can use it, or the server that took over, and no data has only one copy. */
  kill(index: number, awayMs: number): Promise<void>;
  close(): Promise<void>;
}

const SHARDS = 3;
const SYNC_MS = 60_000;
const POLL_MS = 50;

/** Starts the servers of a run, each with `appendfsync always`. */
export function startChaosRedis(kind: RedisKind): Promise<ChaosRedis> {
  if (kind === 'sentinel') return startSentinels();
  return startServers(kind === 'shards' ? SHARDS : 1);
}

/** Starts servers that are restarted with their data after a kill. */
async function startServers(count: number): Promise<ChaosRedis> {
  const dirs = await Promise.all(
    Array.from({ length: count }, () => mkdtemp(path.join(tmpdir(), 'sluice-chaos-redis-'))),
  );
  const servers: RunningRedis[] = await Promise.all(dirs.map((dir) => startOwnRedis(dir)));
  const urls = (): string[] => servers.map(({ url }) => url);
  const [url, ...shards] = urls();
  return {
    ...(shards.length > 0 && { section: { prefix: 'sluice', url, shards } }),
    urls,
    async kill(index, awayMs) {
      const [server, dir] = [servers[index], dirs[index]];
      if (!server || dir === undefined) throw new Error(`There is no server ${index}.`);
      await killRedis(server);
      await pause(awayMs);
      servers[index] = await startOwnRedis(dir, server.address);
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })));
    },
  };
}

/** Starts a primary with a replica. A killed primary loses its data, and becomes the replica of the other one. */
async function startSentinels(): Promise<ChaosRedis> {
  const group = await startSentinelGroup({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  const programs = new Map<number, RedisProgram>();
  for (const program of [group.primary, group.replica]) programs.set(program.port, program);
  let primary = group.primary.port;
  return {
    section: { prefix: 'sluice', sentinels: group.sentinels, sentinel_name: group.name, replicas: 1 },
    urls: () => [`redis://127.0.0.1:${primary}`],
    async kill(_, awayMs) {
      const killed = primary;
      await programs.get(killed)?.kill();
      primary = await group.failedOver(killed);
      await pause(awayMs);
      programs.set(killed, await group.restart(killed));
      await untilReplicated(programs.get(primary));
    },
    close: () => group.stop(),
  };
}

async function untilReplicated(primary: RedisProgram | undefined): Promise<void> {
  const redis = primary?.connect();
  try {
    for (const until = Date.now() + SYNC_MS; Date.now() < until; await pause(POLL_MS)) {
      const info = await redis?.info('replication').catch(() => '');
      if (info?.includes('state=online')) return;
    }
    throw new Error('The killed primary did not become a replica.');
  } finally {
    redis?.disconnect();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
