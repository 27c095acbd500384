import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MediaTask } from '@sluice/canonical';
import { type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** Each command runs in a separate process, which is slow on a busy machine. */
const LONG = 120_000;
const KEY = { name: 'local', key: 'sk-of-the-file' };

let cwd: string;
let rig: TaskRig;
let submissions: number;
beforeEach(async () => {
  submissions = 0;
  cwd = await mkdtemp(join(tmpdir(), 'sluice-tasks-'));
  rig = await taskRig({
    script: {
      submit: () => ((submissions += 1) === 1 ? { kind: 'unknown', message: 'no response in time' } : undefined),
    },
    settings: { submitUnknownMs: 600_000 },
  });
  await configure(rig.redisUrl);
});
afterEach(async () => {
  await rig.close();
  await rm(cwd, { recursive: true });
});

async function configure(url: string): Promise<void> {
  await writeFile(join(cwd, 'sluice.yaml'), JSON.stringify({ redis: { url, prefix: rig.prefix }, keys: [KEY] }));
}

function tasks(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=source', MAIN, 'tasks', ...args],
      { cwd, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await tasks(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>; // The cast is safe because the command prints a JSON object.
}

/** Creates a task whose submission outcome is unknown. */
async function lostTask(): Promise<MediaTask> {
  await rig.startWorker();
  const { task } = await rig.engine.submit(rig.params());
  await expect.poll(async () => (await rig.engine.find('owner', task.id))?.status).toBe('submit_unknown');
  return task;
}

describe('sluice tasks', { timeout: LONG }, () => {
  it('finds a lost submission, shows its timeline, and adopts its job', async () => {
    const { id } = await lostTask();
    const list = await tasks('list', '--status', 'submit_unknown', '--owner', 'owner');
    expect(list.stdout).toMatch(
      new RegExp(`^  TASK .*\\n  ${id}  submit_unknown  0 % .*  owner +video-model +vendor +1$`, 'm'),
    );

    const shown = await tasks('show', id);
    expect(shown.stdout).toMatch(/^ {2}status +submit_unknown$/m);
    expect(shown.stdout).toMatch(
      /^ {2}\d\d:\d\d:\d\d\.\d{3} {2}\+\d+\.\ds +submission unknown +submit_unknown 0 % +vendor #1 +no response in time$/m,
    );
    expect(shown.stdout).not.toContain('prompt 1');
    expect((await tasks('show', id, '--prompt')).stdout).toContain('prompt 1');

    const adopted = await json('adopt', id, 'job-found', '--by', 'ana', '--note', 'seen in the console');
    expect(adopted).toMatchObject({ id, status: 'in_progress', upstream_job_id: 'job-found', changed: true });
    const [task] = await rig.engine.operator.search({ limit: 1 }).then(({ tasks: found }) => found);
    if (task) await rig.end(task);
    const { timeline } = await json('show', id);
    expect(timeline).toContainEqual(
      expect.objectContaining({ what: 'operator', outcome: 'adopted', by: 'ana', note: 'seen in the console' }),
    );
    expect((await tasks('show', id)).stdout).toMatch(/operator adopted .* by ana, \(seen in the console\)$/m);
    expect(rig.vendor.submissions.get(id)).toBe(1);
    const late = await tasks('adopt', id, 'another');
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('has ended as `completed`')]);
    expect((await tasks('list')).stdout).toBe('  No tasks.\n');
  });

  it('resubmits only with --confirm, and wakes the workers', async () => {
    const task = await lostTask();
    const refused = await tasks('resubmit', task.id);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--confirm')]);
    expect(await json('resubmit', task.id, '--confirm', '--attempt', '1')).toMatchObject({ changed: true });
    expect((await rig.end(task)).status).toBe('completed');
    expect((await tasks('resubmit', task.id, '--confirm', '--attempt', '1')).stdout).toContain(
      'This was already done.',
    );
    expect(rig.vendor.submissions.get(task.id)).toBe(2);
  });

  it('fails and cancels tasks, and rebuilds the index', async () => {
    const one = (await rig.engine.submit(rig.params())).task;
    const other = (await rig.engine.submit(rig.params())).task;
    await json('fail', one.id, '--reason', 'The vendor is closed.');
    expect((await rig.engine.find('owner', one.id))?.error?.message).toBe('The vendor is closed.');
    expect(await json('cancel', other.id)).toMatchObject({ status: 'canceled', changed: true });
    expect(await json('reindex')).toEqual({ object: 'index', tasks: 2 });
    const page = await json('list', '--status', 'failed', '--limit', '1');
    expect(page).toMatchObject({ data: [{ id: one.id }] });
  });

  it('reports incorrect usage, a missing task, and an unreachable Redis', async () => {
    expect((await tasks()).stdout).toContain('Usage: sluice tasks COMMAND');
    const line = await tasks('list', '--status', 'lost');
    expect([line.code, line.stderr]).toEqual([
      2,
      expect.stringMatching(/^✗ --status must be queued, .*\n.*--help.*\n$/),
    ]);
    const missing = await tasks('show', 'video_x');
    expect([missing.code, missing.stderr]).toEqual([
      1,
      '✗ Task `video_x` does not exist. List the tasks to see the existing ones.\n',
    ]);
    await configure('redis://:hunter2@127.0.0.1:1');
    const away = await tasks('list');
    expect([away.code, away.stderr]).toEqual([
      1,
      '✗ Redis at redis://127.0.0.1:1 does not respond. Start it, or unset REDIS_URL to use a private one.\n',
    ]);
    await configure('embedded');
    const none = await tasks('list');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No Sluice with a private Redis runs on')]);
  });
});
