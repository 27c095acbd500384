import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const authorization = 'Bearer sk-sandbox';
let clock = START;
let sandbox: RunningSandbox;

beforeEach(async () => {
  clock = START;
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock });
});
afterEach(() => sandbox.close());

async function submit(prompt: string): Promise<() => Promise<Response>> {
  const response = await fetch(`${sandbox.url}/v1/videos`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  });
  const created: unknown = await response.json();
  const { id } = Object(created);
  return () => fetch(`${sandbox.url}/v1/videos/${String(id)}`, { headers: { authorization } });
}

describe('GET /v1/videos/{id}', () => {
  it('shows a job from the queue to its end', async () => {
    const poll = await submit('kite');
    expect(await (await poll()).json()).toMatchObject({ status: 'queued', progress: 0 });
    clock = START + 400;
    expect(await (await poll()).json()).toMatchObject({ status: 'in_progress', progress: 40, completed_at: null });
    clock = START + 1000;
    expect(await (await poll()).json()).toMatchObject({
      status: 'completed',
      progress: 100,
      completed_at: START / 1000 + 1,
      expires_at: START / 1000 + 86_401,
      error: null,
    });
  });

  it('renders for the time in [slow:N]', async () => {
    const poll = await submit('kite [slow:30]');
    clock = START + 29_999;
    expect(await (await poll()).json()).toMatchObject({ status: 'in_progress', progress: 99 });
    clock = START + 30_000;
    expect(await (await poll()).json()).toMatchObject({ status: 'completed' });
  });

  it('fails [fail] with a code and a message', async () => {
    const poll = await submit('kite [fail]');
    clock = START + 1000;
    expect(await (await poll()).json()).toMatchObject({
      status: 'failed',
      error: { code: 'video_generation_failed', message: expect.any(String) },
    });
  });

  it('never ends [stall]', async () => {
    const poll = await submit('kite [stall]');
    clock = START + 1e9;
    expect(await (await poll()).json()).toMatchObject({ status: 'in_progress', progress: 50 });
  });

  it('fails the first two polls of each job with [500]', async () => {
    for (const poll of [await submit('kite [500]'), await submit('kite [500]')]) {
      const first = await poll();
      expect(first.status).toBe(500);
      expect(await first.json()).toMatchObject({ error: { type: 'server_error' } });
      expect((await poll()).status).toBe(500);
      expect((await poll()).status).toBe(200);
    }
  });

  it('sends 200 and three kinds of garbage to the first three polls with [garbage]', async () => {
    const poll = await submit('kite [garbage]');
    const [status, page, half, sane] = [await poll(), await poll(), await poll(), await poll()];
    expect([status, page, half, sane].map((response) => response.status)).toEqual([200, 200, 200, 200]);
    expect(await status.json()).toMatchObject({ status: 'NOT_START' });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(half.headers.get('content-type')).toContain('application/json');
    await expect(half.json()).rejects.toThrow(SyntaxError);
    expect(await sane.json()).toMatchObject({ status: 'queued' });
  });
});
