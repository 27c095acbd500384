import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from './start-sandbox.ts';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

describe('/_sandbox', () => {
  it('reports its health without a key', async () => {
    const response = await fetch(`${sandbox.url}/_sandbox/health`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('lists its directives', async () => {
    const { words } = (await (await fetch(`${sandbox.url}/_sandbox/words`)).json()) as { words: { word: string }[] };
    expect(words.map(({ word }) => word)).toEqual(
      expect.arrayContaining(['[fail]', '[think]', '[long:N]', '[flood:N]']),
    );
  });

  it('has no submissions at first', async () => {
    const response = await fetch(`${sandbox.url}/_sandbox/submissions`);
    expect(await response.json()).toEqual({ submissions: [], total_applied: 0, most_running: {} });
  });

  it('counts submissions by task', async () => {
    const response = await fetch(`${sandbox.url}/v1/videos`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk-sandbox',
        'content-type': 'application/json',
        'x-client-request-id': 'video_task',
      },
      body: JSON.stringify({ prompt: 'kite' }),
    });
    const created: unknown = await response.json();
    expect(await (await fetch(`${sandbox.url}/_sandbox/submissions`)).json()).toEqual({
      submissions: [
        {
          wire: 'videos',
          task: 'video_task',
          prompt: 'kite',
          applied: 1,
          refused: 0,
          canceled: 0,
          inputs: [],
          upstream_ids: [Object(created).id],
        },
      ],
      total_applied: 1,
      most_running: { videos: 1 },
    });
  });

  it('filters by vendor API and rejects unknown ones', async () => {
    await fetch(`${sandbox.url}/v1/videos`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'kite' }),
    });
    const submissions = (wire: string) => fetch(`${sandbox.url}/_sandbox/submissions?wire=${wire}`);
    expect(await (await submissions('vidu')).json()).toMatchObject({ submissions: [], total_applied: 0 });
    expect(await (await submissions('videos')).json()).toMatchObject({ total_applied: 1 });
    expect((await submissions('unknown')).status).toBe(400);
  });
});
