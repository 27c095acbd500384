import { afterEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
afterEach(() => sandbox.close());

interface Prediction {
  id: string;
  status: string;
  output: string | string[] | null;
  error: string | null;
}

async function call(path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/replicate/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // The cast is safe because these calls return a prediction.
  return { response, prediction: (await response.json()) as Prediction };
}

const video = (prompt: string, headers?: Record<string, string>) =>
  call('/models/wan-video/wan-2.5-t2v/predictions', { input: { prompt } }, headers);
const images = (prompt: string) =>
  call('/models/black-forest-labs/flux-schnell/predictions', { input: { prompt, num_outputs: 3 } }, { prefer: 'wait' });

describe('a prediction', () => {
  it('goes from starting to succeeded, and is visible immediately', async () => {
    sandbox = await startSandbox({ renderMs: 400 });
    const { response, prediction } = await video('kite');
    expect([response.status, prediction.status]).toEqual([201, 'starting']);
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        const { status } = (await call(`/predictions/${prediction.id}`)).prediction;
        seen.add(status);
        return status;
      })
      .toBe('succeeded');
    expect([...seen].filter((status) => !['starting', 'processing', 'succeeded'].includes(status))).toEqual([]);
  });

  it('is returned when it ends or when the client’s wait expires', async () => {
    sandbox = await startSandbox({ renderMs: 200 });
    expect((await video('kite', { prefer: 'wait' })).prediction.status).toBe('succeeded');
    expect((await video('kite [slow:5]', { prefer: 'wait=1' })).prediction.status).toBe('processing');
  });

  it('waits if the account is at its limit', async () => {
    sandbox = await startSandbox({ renderMs: 100, concurrency: { replicate: 1 } });
    await video('first [stall]');
    const second = await video('second');
    expect(second.response.status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 320));
    expect((await call(`/predictions/${second.prediction.id}`)).prediction.status).not.toBe('succeeded');
  });

  it('returns fewer images, or none, as directives require', async () => {
    sandbox = await startSandbox({ renderMs: 20 });
    expect((await images('kite')).prediction.output).toHaveLength(3);
    expect((await images('kite [partial]')).prediction.output).toHaveLength(2);
    expect((await images('kite [nothing]')).prediction).toMatchObject({ status: 'succeeded', output: [] });
    expect((await video('kite [nothing]', { prefer: 'wait' })).prediction).toMatchObject({
      status: 'succeeded',
      output: null,
    });
  });

  it('returns an expired URL, then a valid one', async () => {
    sandbox = await startSandbox({ renderMs: 20 });
    const { prediction } = await video('kite [expire-once]', { prefer: 'wait' });
    expect((await fetch(String(prediction.output))).status).toBe(403);
    const again = await call(`/predictions/${prediction.id}`);
    expect((await fetch(String(again.prediction.output))).status).toBe(200);
  });

  it('is rejected with Replicate’s message', async () => {
    sandbox = await startSandbox({ renderMs: 20 });
    for (const [prompt, status] of [
      ['[429]', 429],
      ['[503]', 503],
      ['[balance]', 402],
      ['[refused]', 422],
    ] as const) {
      const { response, prediction } = await video(`kite ${prompt}`);
      expect([response.status, prediction]).toMatchObject([
        status,
        { status, title: expect.any(String), detail: expect.any(String) },
      ]);
    }
  });
});
