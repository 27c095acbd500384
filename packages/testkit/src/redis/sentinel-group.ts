import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisProgram, type RedisProgramOptions, startRedisProgram } from './redis-program.ts';

/** A primary with one replica, and three Sentinels. */
export interface SentinelGroup {
  /** Values for `redis.sentinels` and `redis.sentinel_name`. */
  sentinels: string[];
  name: string;
  primary: RedisProgram;
  replica: RedisProgram;
  /** Waits until another server than `port` is the primary, and returns its port. */
  failedOver(port: number): Promise<number>;
  /** Starts the server on a port again, after a crash. The Sentinels make it a replica. */
  restart(port: number): Promise<RedisProgram>;
  stop(): Promise<void>;
}

export interface SentinelGroupOptions {
  /** Arguments of both servers. */
  args?: readonly string[];
  /** The command that starts another program, e.g. Valkey. */
  command?: readonly string[];
}

const NAME = 'main';
const DOWN_MS = 1_000;
const SYNC_MS = 20_000;
const FAILOVER_MS = 120_000;

/** Starts servers whose replica takes over about two seconds after the primary has died. */
export async function startSentinelGroup({ args = [], command }: SentinelGroupOptions = {}): Promise<SentinelGroup> {
  const shared = { args: [...args, '--save', '', '--repl-diskless-sync-delay', '0'], ...(command && { command }) };
  const programs: RedisProgram[] = [];
  const start = async (options: RedisProgramOptions): Promise<RedisProgram> => {
    const program = await startRedisProgram(options);
    programs.push(program);
    return program;
  };
  const primary = await start(shared);
  const replica = await start({ ...shared, args: [...shared.args, '--replicaof', '127.0.0.1', String(primary.port)] });
  await untilSynced(replica);
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-sentinel-'));
  const sentinels = await Promise.all(
    ['a', 'b', 'c'].map(async (letter) => {
      const file = path.join(folder, `${letter}.conf`);
      const settings = [
        `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 2`,
        `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
        `sentinel failover-timeout ${NAME} 5000`,
      ];
      await writeFile(file, settings.join('\n'));
      return start({ args: [file, '--sentinel'], ...(command && { command }) });
    }),
  );
  const [first = primary] = sentinels;
  const asked = first.connect();
  const ask = async (): Promise<number> => {
    const address = (await asked.call('SENTINEL', 'get-master-addr-by-name', NAME)) as string[] | null; // The cast is for a reply of the protocol.
    return Number(address?.[1]);
  };
  await until(async () => String(await asked.call('SENTINEL', 'ckquorum', NAME).catch(() => '')).startsWith('OK 3'));
  return {
    sentinels: sentinels.map(({ port }) => `127.0.0.1:${port}`),
    name: NAME,
    primary,
    replica,
    async failedOver(port) {
      await until(async () => (await ask()) !== port, FAILOVER_MS);
      return ask();
    },
    restart: (port) => start({ ...shared, port }),
    async stop() {
      asked.disconnect();
      // A paused or killed program does not prevent that the others stop.
      for (const program of programs.toReversed()) await program.stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a replica has received the data of its primary. */
async function untilSynced(replica: RedisProgram): Promise<void> {
  const redis = replica.connect();
  await until(async () => (await redis.info('replication')).includes('master_link_status:up'));
  redis.disconnect();
}

async function until(condition: () => Promise<boolean>, timeoutMs = SYNC_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The servers did not reach the expected state.');
    await sleep(50);
  }
}
