import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions, type Video } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { KEY, type Stack } from '../stack.ts';
import { startMediaStack } from './media-stack.ts';

let stack: Stack;
afterEach(() => stack.close());

const TASKS = 500;
const LIMIT = 3;
const LIGHT = 20;

function lightKey(i: number): string {
  return `sk-light-${String(i).padStart(4, '0')}`;
}

const keys = [
  { name: 'client', key: KEY },
  ...Array.from({ length: LIGHT }, (_, i) => ({ name: `light-${i}`, key: lightKey(i) })),
];

async function create(client: Client, prompt: string): Promise<Video> {
  const response = await client.fetch('/v1/videos', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'video-provider-a', prompt, seconds: '5', size: '720x720' }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Video; // The cast is safe because a create returns a video.
}

/** Creates tasks in batches, with the concurrency of a real client. */
async function createMany(client: Client, count: number): Promise<Video[]> {
  const videos: Video[] = [];
  while (videos.length < count) {
    const batch = Array.from({ length: Math.min(20, count - videos.length) }, (_, i) =>
      create(client, `video ${videos.length + i}`),
    );
    videos.push(...(await Promise.all(batch)));
  }
  return videos;
}

describe('500 tasks on an account with a limit of 3 concurrent jobs', () => {
  it('never exceed the limit, do not delay keys with few tasks behind a key with many, and all complete', async () => {
    stack = await startMediaStack({
      workers: 2,
      renderMs: 40,
      sandboxEnv: { SLUICE_SANDBOX_CONCURRENCY: `provider-a=${LIMIT}` },
      config: { keys, polling: { first_ms: 30, min_ms: 30, max_ms: 200, on_read_ms: 20 } },
      kinds: { 'provider-a': { max_in_flight: LIMIT } },
    });
    const heavy = new Client(stack.origin, KEY);
    const heavyTasks = await createMany(heavy, TASKS - LIGHT);
    const light = await Promise.all(
      Array.from({ length: LIGHT }, async (_, i) => {
        const client = new Client(stack.origin, lightKey(i));
        return { client, video: await create(client, `light video ${i}`) };
      }),
    );
    const lightFindings = await Promise.all(
      light.map(({ client, video }) => new HistoryChecker(client).watch([video.id], 60_000)),
    );
    // When the light keys' last task ends, most tasks of the heavy key are still waiting.
    const ends = await Promise.all(heavyTasks.map(({ id }) => heavy.retrieve(id)));
    const waiting = ends.filter((video) => video?.status === 'queued').length;
    expect(waiting).toBeGreaterThan(TASKS / 3);

    const findings = [
      await new HistoryChecker(heavy).watch(
        heavyTasks.map(({ id }) => id),
        400_000,
      ),
      ...lightFindings,
    ];
    for (const one of findings) expect(one).toMatchObject({ lost: [], broken: [], open: [] });
    const ended = findings.flatMap((one) => Array.from(one.ended.values()));
    expect(ended.filter(({ status }) => status === 'completed')).toHaveLength(TASKS);

    const { submissions, most_running, total_applied } = await sandboxSubmissions(stack.sandboxUrl);
    expect(most_running['provider-a']).toBe(LIMIT);
    expect(total_applied).toBe(TASKS);
    expect(submissions.filter(({ applied }) => applied !== 1)).toEqual([]);
  }, 500_000);

  it('wait if only the vendor enforces a limit', async () => {
    stack = await startMediaStack({
      renderMs: 100,
      sandboxEnv: { SLUICE_SANDBOX_CONCURRENCY: 'provider-a=2,provider-b=1' },
    });
    const client = new Client(stack.origin, KEY);
    const videos = await Promise.all(
      ['video-provider-a', 'video-provider-b'].flatMap((model) =>
        Array.from({ length: 10 }, async (_, i) => {
          const response = await client.fetch('/v1/videos', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ model, prompt: `a kite ${i}`, seconds: '5' }),
          });
          return (await response.json()) as Video; // The cast is safe because a create returns a video.
        }),
      ),
    );
    const findings = await new HistoryChecker(client).watch(
      videos.map(({ id }) => id),
      90_000,
    );
    expect([...findings.ended.values()].filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(findings.open).toEqual([]);
    const { submissions, most_running } = await sandboxSubmissions(stack.sandboxUrl);
    expect(most_running).toMatchObject({ 'provider-a': 2, 'provider-b': 1 });
    expect(submissions.some(({ refused }) => refused > 0)).toBe(true);
    expect(submissions.filter(({ applied }) => applied !== 1)).toEqual([]);
  }, 120_000);
});
