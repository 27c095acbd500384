import type { MediaTask } from '@sluice/canonical';
import { type ScriptedVendor, scriptedVendor, type TaskRig, taskRig } from '@sluice/testkit';
import { createLogger } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showTask } from '../operator/show-task.ts';

let rig: TaskRig;
/** A vendor for each credential. */
let vendors: Record<string, ScriptedVendor>;
beforeEach(async () => {
  rig = await taskRig();
  vendors = {};
});
afterEach(() => rig.close());

const CAPS = { maxSubmitting: 16 };
const TARGETS = ['acme.one', 'acme.two'].map((upstream) => ({ upstream, model: 'model-1' }));

function vendorOf(
  account: string,
  script: ScriptedVendor['script'] = {},
  vendorAccount = `${account} at the vendor`,
): ScriptedVendor {
  return (vendors[account] = { ...scriptedVendor(script), account: vendorAccount });
}

function accounts(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { ...CAPS, video: vendors[name] ?? vendorOf(name) }]));
}

async function submitted(targets = TARGETS): Promise<MediaTask> {
  return (await rig.engine.submit(rig.params({ targets }))).task;
}

const fetchInput = () => Promise.reject(new Error('no input images'));

const calls = (account: string, { id }: MediaTask) => [
  vendors[account]?.submissions.get(id) ?? 0,
  vendors[account]?.polls.get(id) ?? 0,
];

describe('tasks over a pool of credentials', () => {
  it('are submitted, polled, and downloaded with one credential, which the record names', async () => {
    await rig.startWorker({ accounts: accounts(['acme.one', 'acme.two']) });
    const ended = await rig.end(await submitted());
    expect(ended.status).toBe('completed');
    expect([calls('acme.one', ended), calls('acme.two', ended)]).toEqual([
      [1, 2],
      [0, 0],
    ]);
    expect(showTask(ended)).toMatchObject({ upstream: 'acme', credential: 'one' });
  });

  it.each([
    ['a rejected credential', { kind: 'account', code: 'provider_auth', message: 'No.' }],
    ['a rate limit', { kind: 'busy', code: 'rate_limited', message: 'Later.' }],
  ] as const)('move to another credential at once after %s', async (_what, outcome) => {
    vendorOf('acme.one', { submit: () => outcome });
    await rig.startWorker({ accounts: accounts(['acme.one', 'acme.two']) });
    const ended = await rig.end(await submitted());
    expect(ended).toMatchObject({ status: 'completed', upstream: 'acme.two' });
    expect([calls('acme.one', ended), calls('acme.two', ended)]).toEqual([
      [1, 0],
      [1, 2],
    ]);
  });

  it('of an upstream that had one credential stay with it in its new pool', async () => {
    const isHeld = { now: true };
    const poll = () => (isHeld.now ? ({ kind: 'running', progress: 1 } as const) : undefined);
    const before = vendorOf('acme', { poll });
    const first = await rig.startWorker({ accounts: accounts(['acme']) });
    const task = await submitted([{ upstream: 'acme', model: 'model-1' }]);
    await expect.poll(() => before.polls.get(task.id)).toBeGreaterThan(0);
    await first.close(1_000);
    // The upstream's own name now stands for another key.
    vendorOf('acme.two', { poll }, before.account);
    vendorOf('acme', {}, 'another account');
    await rig.startWorker({ accounts: accounts(['acme', 'acme.one', 'acme.two']) });
    await expect.poll(() => calls('acme.two', task)[1]).toBeGreaterThan(0);
    isHeld.now = false;
    expect((await rig.end(task)).status).toBe('completed');
    expect(calls('acme', task)).toEqual([0, 0]);
  });

  it('are polled, downloaded, and canceled with their credential after a reload has replaced or removed it', async () => {
    const isHeld = { now: true };
    const poll = () => (isHeld.now ? ({ kind: 'running', progress: 1 } as const) : undefined);
    const downloads: string[] = [];
    const content = () => (downloads.push('acme.one'), undefined);
    const one = vendorOf('acme.one', { poll, content, cancel: () => ({ kind: 'canceled' }) });
    const worker = await rig.startWorker({ accounts: accounts(['acme.one', 'acme.two']) });
    const [task, other] = [await submitted(), await submitted()];
    await expect.poll(() => [task, other].every(({ id }) => one.polls.has(id))).toBe(true);
    const { settings } = rig;
    const replaced = vendorOf('acme.one', {}, 'another account');
    worker.update({ accounts: accounts(['acme.one', 'acme.two']), settings, fetchInput });
    worker.update({ accounts: accounts(['acme.two']), settings, fetchInput });
    await rig.engine.cancel('owner', other.id);
    await expect.poll(() => one.canceled).toEqual([other.id]);
    isHeld.now = false;
    expect((await rig.end(task)).status).toBe('completed');
    expect(downloads).toEqual(['acme.one']);
    expect([replaced.polls.size, vendors['acme.two']?.polls.size]).toEqual([0, 0]);
  });

  it('wait for a credential that was removed, with a log that names the remedy, and complete when it is back', async () => {
    const isHeld = { now: true };
    const one = vendorOf('acme.one', {
      poll: () => (isHeld.now ? { kind: 'running', progress: 1 } : undefined),
    });
    const first = await rig.startWorker({ accounts: accounts(['acme.one', 'acme.two']) });
    const task = await submitted();
    await expect.poll(() => one.polls.get(task.id)).toBeGreaterThan(0);
    await first.close(1_000);
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'error', name: 'test', pretty: false, destination });
    const second = await rig.startWorker({ accounts: accounts(['acme.two']), logger });
    await expect
      .poll(() => lines.join(''))
      .toMatch(
        /"upstream":"acme","credential":"one".*not configured; add it to the configuration again, with `weight: 0`/,
      );
    expect(calls('acme.two', task)).toEqual([0, 0]);
    await second.close(1_000);
    isHeld.now = false;
    await rig.startWorker({ accounts: accounts(['acme.one', 'acme.two']) });
    expect((await rig.end(task)).status).toBe('completed');
  });
});
