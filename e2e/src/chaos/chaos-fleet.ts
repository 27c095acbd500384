import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { preloaded } from '../faults/stopping.ts';
import { FAST_TIMEOUTS, startMediaStack } from '../media/media-stack.ts';
import { killRedis, startOwnRedis } from '../own-redis.ts';
import { freePort, type Program } from '../processes.ts';
import { KEY, type Stack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { webhooksTo } from '../faults/decision.ts';
import { PARTS, type PlannedKill } from './plan-chaos.ts';
import { StepRecovery } from './recovery.ts';

/** Everything that chaos strikes: a Redis of its own, several API processes and workers, and the sandbox. */
export interface ChaosFleet {
  /** Of the API processes. */
  origins: string[];
  sandboxUrl: string;
  steps: StepRecovery;
  /** The client's server that receives webhooks. */
  receiver: Receiver;
  /** Milliseconds from the kill of an API process until the next one answers in its place. */
  apiRecovery: number[];
  /** Milliseconds from the kill of Redis until the API answers from it again and a worker has claimed a task. */
  redisRecovery: number[];
  /** Longest that the sandbox took to answer the simplest question, milliseconds: on a busy machine it is a slow vendor. */
  vendorSilenceMs(): number;
  /** Starts that ended before the process served, as when Redis dies in its middle. */
  failedStarts(): number;
  /** Kills a process and starts another in its place; resolves when that serves. */
  kill(kill: PlannedKill): Promise<void>;
  close(): Promise<void>;
}

/** As in production. */
const TIMEOUTS = { ...FAST_TIMEOUTS, submit_ms: 5_000, poll_ms: 5_000, download_idle_ms: 5_000 };
const POLL_MS = 25;
const SILENCE_POLL_MS = 250;
const UP_MS = 60_000;
const MAX_STARTS = 5;
const RESTART_MS = 500;

/**
 * Starts a {@link ChaosFleet}.
 * @param unknownMs how long a lost submission is looked for
 */
export async function startChaosFleet(unknownMs: number): Promise<ChaosFleet> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sluice-chaos-'));
  let redis: RunningRedis = await startOwnRedis(dataDir);
  const receiver = await startReceiver();
  const stack: Stack = await startMediaStack({
    workers: 0,
    redisUrl: redis.url,
    renderMs: 1_000,
    // A third of production's, so that a machine that is busy with kills does not look like one that is dead.
    tasks: { lock_ms: 5_000, stall_check_ms: 1_500, overdue_ms: 3_000, submit_unknown_ms: unknownMs },
    // That there is no such job is believed after a time in which the busiest sandbox has read its requests.
    config: {
      timeouts: { ...TIMEOUTS, look_up_ms: unknownMs / 3 },
      log: { level: 'warn' },
      webhooks: webhooksTo(receiver.origin),
    },
  });
  const steps = new StepRecovery();
  const apiRecovery: number[] = [];
  const redisRecovery: number[] = [];
  const ports = [Number(new URL(stack.origin).port)];
  while (ports.length < PARTS.api) ports.push(await freePort());
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const { supervised, failedStarts } = supervision();
  const startApi = (index: number) => supervised(() => stack.startApi({ SLUICE_PORT: String(ports[index]) }));
  async function startWorker(): Promise<Program> {
    const worker = await supervised(() => stack.startWorker(preloaded('../chaos/report-steps.ts', {})));
    steps.follow(worker);
    return worker;
  }

  const silence = watchSilence(stack.sandboxUrl);

  const apis = [stack.api, ...(await Promise.all(ports.slice(1).map((_, i) => startApi(i + 1))))];
  const workers = await Promise.all(Array.from({ length: PARTS.worker }, startWorker));

  return {
    origins,
    sandboxUrl: stack.sandboxUrl,
    steps,
    receiver,
    apiRecovery,
    redisRecovery,
    failedStarts,
    vendorSilenceMs: silence.maxMs,
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
          await responses(`${origins[index]}/v1/videos?limit=1`);
          apiRecovery.push(Date.now() - at);
          return;
        case 'redis': {
          await killRedis(redis);
          await pause(awayMs);
          redis = await startOwnRedis(dataDir, redis.address);
          // No worker can claim without Redis.
          const anyApi = Promise.any(origins.map((origin) => responses(`${origin}/v1/videos?limit=1`)));
          await Promise.all([steps.nextClaim(), anyApi]);
          redisRecovery.push(Date.now() - at);
        }
      }
    },
    async close() {
      await silence.stop();
      await stack.close();
      receiver.close();
      await redis.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Restarts programs that do not start, as a supervisor does. */
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

/** Measures how long the sandbox takes to respond, until it is stopped. */
function watchSilence(sandboxUrl: string) {
  let maxMs = 0;
  const stopped = new AbortController();
  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const begun = Date.now();
      await fetch(`${sandboxUrl}/nothing-here`).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      );
      maxMs = Math.max(maxMs, Date.now() - begun);
      await pause(SILENCE_POLL_MS);
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

async function responses(at: string): Promise<void> {
  for (const until = Date.now() + UP_MS; Date.now() < until;) {
    const response = await fetch(at, { headers: { authorization: `Bearer ${KEY}` } }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.ok) return;
    await pause(POLL_MS);
  }
  throw new Error(`${at} does not answer`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
