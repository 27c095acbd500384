import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from './client.ts';
import { HistoryChecker } from './history.ts';
import { KEY, type Stack, prepareDeployment, startStack } from './stack.ts';

const TASKS = 50;
const KILLS = 10;
/** Average number of submissions in flight when a worker is killed on a busy machine. */
const LOST_PER_KILL = 3;
let stack: Pick<Stack, 'origin' | 'sandboxUrl' | 'dir' | 'close'>;
afterEach(() => stack.close());

/**
 * Creates tasks while `crash` runs repeatedly, then checks the outcomes.
 * @param maxLost maximum number of submissions whose responses may be lost
 */
async function surviveCrashes(crash: () => Promise<unknown>, maxLost: number): Promise<void> {
  const client = new Client(stack.origin, KEY);
  const checker = new HistoryChecker(client);
  const creating = Promise.all(
    Array.from({ length: TASKS }, async (_, i) => {
      await pause(i * 60);
      return client.create(`crash video ${i} ${stack.dir}`, `video-${i}`);
    }),
  );
  const crashes = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(50 + Math.random() * 500);
      await crash();
    }
  })();
  const ids = (await creating).map(({ id }) => id);
  const watching = checker.watch(ids, 240_000);
  await crashes;
  const findings = await watching;

  expect(new Set(ids).size).toBe(TASKS);
  expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
  const failures = [...findings.ended.values()].filter(({ status }) => status !== 'completed');
  // If a worker was killed before the vendor received a submission, the submission stays unknown, because this vendor
  // cannot prove that a job does not exist. No other failure is allowed.
  expect(failures.filter(({ error }) => error?.code !== 'submission_unknown')).toEqual([]);
  expect(failures.length).toBeLessThanOrEqual(maxLost);
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  expect(submissions.filter(({ applied }) => applied > 1)).toEqual([]);
  expect(submissions.filter(({ task }) => ids.includes(task)).length).toBeGreaterThanOrEqual(TASKS - failures.length);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('kill -9 at random times while 50 tasks run', () => {
  it('of the worker: each task ends once, none is submitted twice, and progress never falls', async () => {
    const started = await startStack();
    stack = started;
    await surviveCrashes(async () => {
      await started.workers.at(-1)?.kill();
      await started.startWorker();
    }, KILLS * LOST_PER_KILL);
  }, 420_000);

  it('of the API: each task ends once, none is submitted twice, and progress never falls', async () => {
    const started = await startStack();
    stack = started;
    await surviveCrashes(async () => {
      await started.api.kill();
      await started.startApi();
    }, 0);
  }, 420_000);

  it('of Sluice, Redis, and the sandbox: each task ends once, none is submitted twice, and progress never falls', async () => {
    const deployment = await prepareDeployment();
    stack = deployment;
    await deployment.start();
    await surviveCrashes(async () => {
      deployment.kill();
      await deployment.start();
    }, KILLS * LOST_PER_KILL);
  }, 420_000);
});
