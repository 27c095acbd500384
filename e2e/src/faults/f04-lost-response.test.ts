import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { KEY, type Stack } from '../stack.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { untilEnded, videoClients } from '../media/video-clients.ts';
import { IMAGE_KINDS, VENDOR_KINDS } from '../media/vendor-kinds.ts';

let stack: Stack;
afterEach(() => stack.close());

const videos = VENDOR_KINDS.map(({ kind, lost }) => ({ kind, lost, model: `video-${kind}` }));
const images = IMAGE_KINDS.map(({ kind, lost }) => ({ kind, lost, model: `image-${kind}` }));

describe('kill -9 of the worker between the vendor’s acceptance and the recorded id', () => {
  it('each job is found if the vendor can search, is otherwise unknown, and is never submitted twice', async () => {
    stack = await startMediaStack({
      tasks: { submit_unknown_ms: 8_000 },
      // With this timeout, the worker still waits for the vendor's response when it is killed.
      config: { timeouts: { submit_ms: 60_000, poll_ms: 1_000, image_ms: 60_000, look_up_ms: 1_500 } },
    });
    const http = new Client(stack.origin, KEY);
    const [client] = videoClients(http);
    if (!client) throw new Error('There are four clients.');
    const tasks = [
      ...(await Promise.all(
        videos.map(async ({ kind, lost, model }) => ({
          kind,
          lost,
          id: (await client.create(model, promptOf(kind))).id,
        })),
      )),
      ...(await Promise.all(
        images.map(async ({ kind, lost, model }) => ({ kind, lost, id: await createImage(http, model, kind) })),
      )),
    ];

    // All vendors have accepted their jobs, but no worker has received a vendor's response yet.
    await expect.poll(async () => applied(tasks.map(({ id }) => id))).toEqual(tasks.map(() => 1));
    await stack.workers[0]?.kill();
    await stack.startWorker();

    const endings = await Promise.all(
      tasks.map(async ({ kind, id }) => {
        if (id.startsWith('image_')) return [kind, await imageEnding(http, id)] as const;
        const { state, code } = await untilEnded(client, id, '', 60_000);
        return [kind, state === 'completed' ? state : code] as const;
      }),
    );
    const expected = tasks.map(({ kind, lost }) => [kind, lost === 'found' ? 'completed' : 'submission_unknown']);
    expect(Object.fromEntries(endings)).toEqual(Object.fromEntries(expected));
    expect(await applied(tasks.map(({ id }) => id))).toEqual(tasks.map(() => 1));
  }, 120_000);
});

function promptOf(kind: string): string {
  return `a bridge of ${kind} [late-reply:30]`;
}

async function applied(ids: readonly string[]): Promise<number[]> {
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  return ids.map((id) => submissions.find(({ task }) => task === id)?.applied ?? 0);
}

async function createImage(http: Client, model: string, kind: string): Promise<string> {
  const response = await http.fetch('/v1/images/generations', {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ model, prompt: promptOf(kind) }),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

async function imageEnding(http: Client, id: string): Promise<string> {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    const response = await http.fetch(`/v1/images/generations/${id}`);
    const { status, data, error } = (await response.json()) as {
      status?: string;
      data?: unknown;
      error?: { code: string };
    };
    if (data) return 'completed';
    if (status === 'failed') return error?.code ?? '';
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${id} does not end`);
}
