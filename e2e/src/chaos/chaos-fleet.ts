import path from 'node:path';
import { freePort } from '@sluice/testkit';
import { preloaded } from '../faults/stopping.ts';
import { FAST_TIMEOUTS, startMediaStack } from '../media/media-stack.ts';
import { type Program } from '../processes.ts';
import { KEY, type Stack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { webhooksTo } from '../faults/violations.ts';
import { type ChaosRedis, startChaosRedis } from './chaos-redis.ts';
import { type ChaosOptions, PARTS, type PlannedKill } from './plan-chaos.ts';
import { StepRecovery } from './recovery.ts';
import { ADMIN_KEY } from '../reload/reload-repeatedly.ts';

/** The processes of a chaos run: Redis, several API processes and workers, and the sandbox. */
export interface ChaosFleet {
  origins: string[];
  sandboxUrl: string;
  /** Returns the URLs of the home and of the other shards. */
  redisUrls(): string[];
  /** The SQLite file of the ledger. */
  ledgerFile: string;
  steps: StepRecovery;
  /** The client's server that receives webhooks. */
  receiver: Receiver;
  /** Milliseconds from the kill of each API process until its replacement responds. */
  apiRecovery: number[];
  /** Milliseconds from each kill of Redis until the API responds again and a worker has claimed a task. */
  redisRecovery: number[];
  /** Longest response time of the sandbox. On a busy machine, the sandbox responds as slowly as a slow vendor. */
  vendorDelayMs(): number;
  /** Number of failed starts, e.g. because Redis was killed during a start. */
  failedStarts(): number;
  /** The times in which shards were lost, in Unix milliseconds. */
  losses: Loss[];
  reloads: Stack['reloads'];
  /** Kills a process and starts its replacement; resolves when the replacement is ready. */
  kill(kill: PlannedKill): Promise<void>;
  close(): Promise<void>;
}

/** The time in which a server of Redis was lost. */
export interface Loss {
  shard: number;
  from: number;
  to: number;
}

/** The name of the key whose budget pays for all tasks. */
export const CLIENT = 'client';

/** Amounts whose sums would show a rounding error. */
const PRICE = { request: 0.000_000_007, video_second: 0.012_345_679 };

/** The default timeouts of production. */
const TIMEOUTS = { ...FAST_TIMEOUTS, submit_ms: 5_000, poll_ms: 5_000, download_idle_ms: 5_000 };
const POLL_MS = 25;
const DELAY_POLL_MS = 250;
const UP_MS = 60_000;
const MAX_STARTS = 5;
const RESTART_MS = 500;

/** Starts the processes of a run. */
export async function startChaosFleet(options: ChaosOptions & Timers): Promise<ChaosFleet> {
  const redis = await startChaosRedis(options.redis ?? 'single');
  const receiver = await startReceiver();
  const stack = await startStack(redis, receiver.origin, options);
  const steps = new StepRecovery();
  const apiRecovery: number[] = [];
  const redisRecovery: number[] = [];
  const ports = [Number(new URL(stack.origin).port)];
  while (ports.length < PARTS.api) ports.push(await freePort());
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const { supervised, failedStarts } = supervision();
  const startApi = (index: number) =>
    supervised(() => stack.startApi({ ...API_ENV, SLUICE_PORT: String(ports[index]) }));
  async function startWorker(): Promise<Program> {
    const worker = await supervised(() => stack.startWorker(preloaded('../chaos/report-steps.ts', {})));
    steps.follow(worker);
    return worker;
  }

  const sandboxDelay = watchDelay(stack.sandboxUrl);

  const apis = [stack.api, ...(await Promise.all(ports.slice(1).map((_, i) => startApi(i + 1))))];
  const workers = await Promise.all(Array.from({ length: PARTS.worker }, startWorker));
  const losses: Loss[] = [];

  return {
    origins,
    sandboxUrl: stack.sandboxUrl,
    redisUrls: redis.urls,
    losses,
    reloads: stack.reloads,
    ledgerFile: path.join(stack.env['SLUICE_DATA_DIR'] ?? '', 'ledger.sqlite'),
    steps,
    receiver,
    apiRecovery,
    redisRecovery,
    failedStarts,
    vendorDelayMs: sandboxDelay.maxMs,
    async kill({ part, index, awayMs }) {
      const at = Date.now();
      switch (part) {
        case 'worker': {
          const victim = workers[index];
          await victim?.kill();
          if (victim) steps.killed(victim, at);
          await pause(awayMs);
          workers[index] = await startWorker();
          return;
        }
        case 'api':
          await apis[index]?.kill();
          await pause(awayMs);
          apis[index] = await startApi(index);
          await untilServing(`${origins[index]}/v1/videos?limit=1`);
          apiRecovery.push(Date.now() - at);
          return;
        case 'redis': {
          await redis.kill(index, awayMs);
          losses.push({ shard: index, from: at, to: Date.now() });
          const anyApi = Promise.any(origins.map((origin) => untilServing(`${origin}/v1/videos?limit=1`)));
          await Promise.all([steps.nextClaim(), anyApi]);
          redisRecovery.push(Date.now() - at);
        }
      }
    },
    async close() {
      await sandboxDelay.stop();
      await stack.close();
      receiver.close();
      await redis.close();
    },
  };
}

/** The settings `submit_unknown_ms` and `look_up_ms`. */
interface Timers {
  unknownMs: number;
  lookUpMs: number;
}

const API_ENV = { SLUICE_ADMIN_KEY: ADMIN_KEY };

function startStack(
  redis: ChaosRedis,
  receiverOrigin: string,
  { unknownMs, lookUpMs, pools, reloadSeconds, redis: kind }: ChaosOptions & Timers,
): Promise<Stack> {
  // Tasks with a budget are on the home, so that a budget would leave the other shards empty.
  const budget = kind === 'shards' ? undefined : { usd: 100_000, period: 'total' };
  return startMediaStack({
    workers: 0,
    redisUrl: redis.section ? '' : redis.urls()[0],
    apiEnv: API_ENV,
    renderMs: 1_000,
    price: PRICE,
    pools: pools ?? false,
    reloadSeconds: reloadSeconds ?? 0,
    // A third of the production values. With even shorter locks, live workers would lose their locks on a busy machine.
    tasks: { lock_ms: 5_000, stall_check_ms: 1_500, overdue_ms: 3_000, submit_unknown_ms: unknownMs },
    // The time that the gateway waits before it trusts an empty search result. By then, even a busy sandbox has read
    // every submission.
    config: {
      ...(redis.section && { redis: redis.section }),
      keys: [{ name: CLIENT, key: KEY, budget }],
      timeouts: { ...TIMEOUTS, look_up_ms: lookUpMs },
      log: { level: 'warn' },
      webhooks: webhooksTo(receiverOrigin),
    },
  });
}

/** Retries failed starts, as a supervisor does. */
function supervision() {
  let failed = 0;
  async function supervised(start: () => Promise<Program>): Promise<Program> {
    for (let tries = 1; ; tries++) {
      try {
        return await start();
      } catch (error) {
        failed += 1;
        if (tries === MAX_STARTS) throw error;
        await pause(RESTART_MS);
      }
    }
  }
  return { supervised, failedStarts: () => failed };
}

function watchDelay(sandboxUrl: string) {
  let maxMs = 0;
  const stopped = new AbortController();
  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const startedAt = Date.now();
      await fetch(`${sandboxUrl}/nothing-here`).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      );
      maxMs = Math.max(maxMs, Date.now() - startedAt);
      await pause(DELAY_POLL_MS);
    }
  }
  const watching = watch();
  return {
    maxMs: () => maxMs,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}

async function untilServing(url: string): Promise<void> {
  for (const until = Date.now() + UP_MS; Date.now() < until;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.ok) return;
    await pause(POLL_MS);
  }
  throw new Error(`${url} does not respond.`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
