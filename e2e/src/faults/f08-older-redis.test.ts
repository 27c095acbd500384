import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningRedis } from '@sluice/embedded-redis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { videoClients } from '../media/video-clients.ts';
import { startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack } from '../stack.ts';
import type { StopPoint } from './stop-at-points.ts';
import { collectStops, stoppingAt } from './stopping.ts';
import { endings } from './violations.ts';

let stack: Stack;
let redis: RunningRedis;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-older-'));
  redis = await startOwnRedis(path.join(dir, 'now'));
});
afterEach(async () => {
  await stack.close();
  await redis.stop();
  await rm(dir, { recursive: true, force: true });
});

/**
 * For each case: how far the task had progressed in the restored Redis (before its submission, or submitted without a
 * recorded response), how it ends, and how many submissions the vendor applied in total.
 */
const CASES: { kind: string; known: StopPoint; ending: string; applied: number }[] = [
  // This vendor stores the task's id. It rejects a second job with the same id, and its search finds the first job.
  { kind: 'provider-a', known: 'claimed', ending: 'completed', applied: 1 },
  { kind: 'provider-a', known: 'accepted', ending: 'completed', applied: 1 },
  // This vendor lists its jobs. If the submission is recorded as in progress, the job is found. Otherwise it is
  // submitted again.
  { kind: 'videos', known: 'claimed', ending: 'completed', applied: 2 },
  { kind: 'videos', known: 'accepted', ending: 'completed', applied: 1 },
  // This vendor has no search. A submission recorded as in progress stays unknown. Otherwise it is repeated.
  { kind: 'provider-b', known: 'claimed', ending: 'completed', applied: 2 },
  { kind: 'provider-b', known: 'accepted', ending: 'submission_unknown', applied: 1 },
];

describe('a Redis that is restored from a backup', () => {
  it('each task ends, and is submitted again only if its first submission cannot be detected', async () => {
    stack = await startMediaStack({ workers: 0, redisUrl: redis.url, tasks: { submit_unknown_ms: 4_000 } });
    const client = new Client(stack.origin, KEY);
    const [videos] = videoClients(client);
    const tasks = await Promise.all(
      CASES.map(async (one) => ({
        ...one,
        id: (await videos?.create(`video-${one.kind}`, `an old photograph ${one.kind} ${one.known}`))?.id ?? '',
      })),
    );
    const stopped = new Map<string, string>();
    const first = await stack.startWorker(stoppingAt(Object.fromEntries(tasks.map(({ id, known }) => [id, known]))));
    collectStops(first, stopped);
    await expect.poll(() => stopped.size).toBe(tasks.length);
    await cp(path.join(dir, 'now', 'redis'), path.join(dir, 'older'), { recursive: true });
    await first.kill();

    const ids = tasks.map(({ id }) => id);
    const second = await stack.startWorker();
    expect((await new HistoryChecker(client).watch(ids, 60_000)).open).toEqual([]);

    await second.kill();
    await stack.api.kill();
    await redis.stop();
    await rm(path.join(dir, 'now', 'redis'), { recursive: true });
    await cp(path.join(dir, 'older'), path.join(dir, 'now', 'redis'), { recursive: true });
    redis = await startOwnRedis(path.join(dir, 'now'), redis.address);
    await Promise.all([stack.startApi(), stack.startWorker()]);

    const findings = await new HistoryChecker(client).watch(ids, 60_000);
    expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    const ended = endings(ids, findings);
    const outcome = tasks.map(({ kind, known, id }, i) => {
      const applied = submissions.find(({ task }) => task === id)?.applied;
      return { kind, known, ending: ended[i], applied };
    });
    expect(outcome).toEqual(CASES);
  }, 180_000);
});
