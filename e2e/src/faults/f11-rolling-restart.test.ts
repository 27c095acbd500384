import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { KEY, type Stack, startStack } from '../stack.ts';

const TASKS = 40;
let stack: Stack;
afterEach(() => stack.close());

describe('rolling restarts by SIGTERM under load', () => {
  it('of workers: steps under way end, nothing is unknown, lost or doubled', async () => {
    stack = await startStack({ workers: 2 });
    const client = new Client(stack.origin, KEY);
    const ids: string[] = [];
    const creating = (async () => {
      for (let i = 0; i < TASKS; i++) ids.push((await client.create(`rolling ${i}`, `roll-${i}`)).id);
    })();
    for (let restart = 0; restart < 4; restart++) {
      const old = stack.workers.shift();
      await stack.startWorker();
      await old?.stop();
      expect(old?.process.exitCode).toBe(0);
    }
    await creating;
    const findings = await new HistoryChecker(client).watch(ids, 40_000);
    expect(findings).toMatchObject({ lost: [], broken: [], open: [] });
    expect([...findings.ended.values()].filter(({ status }) => status !== 'completed')).toEqual([]);
    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    expect(submissions.every(({ applied }) => applied === 1)).toBe(true);
  }, 120_000);

  it('of the API: a request that waits for its video is answered before the process ends', async () => {
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
    await expect.poll(created, { timeout: 10_000 }).toBe(1);
    await stack.api.stop();
    expect(stack.api.process.exitCode).toBe(0);
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(['queued', 'in_progress']).toContain(((await answer.json()) as { status: string }).status);
  }, 60_000);
});
