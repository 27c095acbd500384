import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { endings, NO_VIOLATIONS, violationsIn } from './violations.ts';

const RESTARTS = 4;
/** Number of tasks before each restart, which is below the account's limit of concurrent submissions. */
const TASKS = 10;
let stack: Stack;
afterEach(() => stack.close());

describe('rolling restarts by SIGTERM under load', () => {
  it('of workers during submissions: each task completes, and none is unknown, lost, or duplicated', async () => {
    stack = await startStack({
      config: { timeouts: { submit_ms: 20_000, poll_ms: 1_000, download_idle_ms: 1_000, shutdown_ms: 15_000 } },
    });
    const client = new Client(stack.origin, KEY);
    const ids: string[] = [];
    for (let restart = 0; restart < RESTARTS; restart++) {
      const batch = await Promise.all(
        Array.from({ length: TASKS }, (_, i) =>
          client.create(`rolling ${restart} ${i} [late-reply:2]`, `${restart}-${i}`),
        ),
      );
      ids.push(...batch.map(({ id }) => id));
      // The vendor has accepted all tasks and responds soon. The worker receives SIGTERM before the responses.
      await expect.poll(async () => (await sandboxSubmissions(stack.sandboxUrl)).total_applied).toBe(ids.length);
      const old = stack.workers.shift();
      await Promise.all([old?.stop(), stack.startWorker()]);
      expect(old?.process.exitCode).toBe(0);
    }
    const findings = await new HistoryChecker(client).watch(ids, 40_000);
    expect(await violationsIn(ids, findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
    expect(endings(ids, findings)).toEqual(ids.map(() => 'completed'));
    const metrics = await (await fetch(`${stack.origin}/metrics`)).text();
    expect(metrics).toMatch(/^sluice_task_submissions_unknown_total 0$/m);
  }, 120_000);

  it('of the API: a request that waits for its video gets a response before the process ends', async () => {
    stack = await startStack();
    const waiting = new Client(stack.origin, KEY).fetch('/v1/videos', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=30' },
      body: JSON.stringify({ prompt: 'still at work [slow:20]' }),
    });
    const client = new Client(stack.origin, KEY);
    const created = async () => {
      const list = await client.fetch('/v1/videos');
      return ((await list.json()) as { data: unknown[] }).data.length;
    };
    await expect.poll(created).toBe(1);
    await stack.api.stop();
    expect(stack.api.process.exitCode).toBe(0);
    const response = await waiting;
    expect(response.status).toBe(200);
    expect(['queued', 'in_progress']).toContain(((await response.json()) as { status: string }).status);
  }, 60_000);
});
