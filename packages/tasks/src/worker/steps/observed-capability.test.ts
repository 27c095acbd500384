import { taskRig, type TaskRig, TINY_MP4 } from '@sluice/testkit';
import { afterEach, expect, it } from 'vitest';
import type { WorkerObserver } from './observed-capability.ts';

let rig: TaskRig;
afterEach(() => rig.close());

function recorder() {
  const calls: string[] = [];
  const ends: string[] = [];
  const observer: WorkerObserver = {
    called: ({ upstream }, call, outcome, seconds) => {
      expect(seconds).toBeGreaterThanOrEqual(0);
      calls.push(`${upstream} ${call} ${outcome}`);
    },
    ended: ({ ownerId, status, error }, before) => void ends.push(`${ownerId} ${before} ${status} ${error?.code}`),
  };
  return { calls, ends, observer };
}

async function* file(): AsyncGenerator<Uint8Array> {
  yield TINY_MP4;
}

it('reports each call with its outcome, and the end of the task once', async () => {
  const { calls, ends, observer } = recorder();
  let [submissions, polls, downloads] = [0, 0, 0];
  rig = await taskRig({
    script: {
      submit: () =>
        (submissions += 1) === 1 ? { kind: 'busy', code: 'rate_limited', message: 'slow down' } : undefined,
      poll: () => ((polls += 1) === 1 ? { kind: 'unclear', message: 'garbage' } : { kind: 'succeeded' }),
      content: () =>
        (downloads += 1) === 1 ? { kind: 'denied', message: 'HTTP 403' } : { kind: 'opened', body: file() },
    },
  });
  await rig.startWorker({ observer });
  const { task } = await rig.engine.submit(rig.params());
  expect((await rig.end(task)).status).toBe('completed');
  expect(calls).toEqual([
    'vendor submit rate_limited',
    'vendor submit served',
    'vendor poll unclear',
    'vendor poll served',
    'vendor download denied',
    'vendor download served',
  ]);
  await expect.poll(() => ends).toEqual(['owner finishing completed undefined']);
});

it('reports a lost submission, its reconciliation, and a job that failed', async () => {
  const { calls, ends, observer } = recorder();
  rig = await taskRig({
    script: {
      submit: () => ({ kind: 'unknown', message: 'reset' }),
      find: () => ({ kind: 'candidates', certain: true, jobs: [{ upstreamId: 'job' }] }),
      poll: () => ({ kind: 'failed', code: 'content_policy', message: 'No.' }),
    },
  });
  await rig.startWorker({ observer });
  const { task } = await rig.engine.submit(rig.params());
  expect((await rig.end(task)).status).toBe('failed');
  expect(calls).toEqual(['vendor submit unknown', 'vendor look_up served', 'vendor poll served']);
  await expect.poll(() => ends).toEqual(['owner in_progress failed content_policy']);
});

it('reports cancellations', async () => {
  const { calls, ends, observer } = recorder();
  rig = await taskRig({ script: { poll: () => ({ kind: 'running' }), cancel: () => ({ kind: 'canceled' }) } });
  await rig.startWorker({ observer });
  const { task } = await rig.engine.submit(rig.params());
  await expect.poll(() => calls).toContain('vendor poll served');
  await rig.engine.cancel('owner', task.id);
  expect((await rig.end(task)).status).toBe('canceled');
  expect(calls.at(-1)).toBe('vendor cancel served');
  await expect.poll(() => ends).toEqual(['owner canceling canceled canceled']);
});
