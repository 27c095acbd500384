import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from './client.ts';
import { HistoryChecker } from './history.ts';
import { KEY, type Stack, startStack, wholeSluice } from './stack.ts';

const TASKS = 50;
const KILLS = 10;
/** Submissions that a dying worker has begun on a busy machine, on average. */
const LOST_A_KILL = 3;
let stack: Pick<Stack, 'origin' | 'sandboxUrl' | 'dir' | 'close'>;
afterEach(() => stack.close());

/**
 * Creates the tasks while `crash` strikes again and again, then holds the outcome against the promises.
 * @param mayLose submissions whose answer may be lost for good
 */
async function surviveCrashes(crash: () => Promise<unknown>, mayLose: number): Promise<void> {
  const client = new Client(stack.origin, KEY);
  const checker = new HistoryChecker(client);
  const creating = Promise.all(
    Array.from({ length: TASKS }, async (_, i) => {
      await pause(i * 60);
      return client.create(`crash film ${i} ${stack.dir}`, `film-${i}`);
    }),
  );
  const crashes = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(50 + Math.random() * 500);
      await crash();
    }
  })();
  const ids = (await creating).map(({ id }) => id);
  const watching = checker.watch(ids, 90_000);
  await crashes;
  const findings = await watching;

  expect(new Set(ids).size).toBe(TASKS);
  expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
  const failures = [...findings.ended.values()].filter(({ status }) => status !== 'completed');
  // If a worker dies before the vendor receives the submission, the submission stays unknown, because this vendor
  // cannot prove
  // that it has no such job. Nothing else may fail, and nothing is submitted twice.
  expect(failures.filter(({ error }) => error?.code !== 'submission_unknown')).toEqual([]);
  expect(failures.length).toBeLessThanOrEqual(mayLose);
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  expect(submissions.filter(({ applied }) => applied > 1)).toEqual([]);
  expect(submissions.filter(({ task }) => ids.includes(task)).length).toBeGreaterThanOrEqual(TASKS - failures.length);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('kill -9 at random moments while 50 tasks run', () => {
  it('of the worker: every task ends once, none is submitted twice, progress never falls', async () => {
    const parts = await startStack();
    stack = parts;
    await surviveCrashes(async () => {
      await parts.workers.at(-1)?.kill();
      await parts.startWorker();
    }, KILLS * LOST_A_KILL);
  }, 120_000);

  it('of the API: every task ends once, none is submitted twice, progress never falls', async () => {
    const parts = await startStack();
    stack = parts;
    await surviveCrashes(async () => {
      await parts.api.kill();
      await parts.startApi();
    }, 0);
  }, 120_000);

  it('of all of Sluice, its Redis and the sandbox: the same', async () => {
    const whole = await wholeSluice();
    stack = whole;
    await whole.start();
    await surviveCrashes(async () => {
      whole.kill();
      await whole.start();
    }, KILLS * LOST_A_KILL);
  }, 180_000);
});
