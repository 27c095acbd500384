import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { ledgerKeys } from '@sluice/ledger';
import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type ConsoleClient, signIn } from '../../test/security/console-session.ts';

const PATH = '/console/api/events';
const stopping = new AbortController();

/** Two processes that share Redis. */
let [rig, other]: [AdminRig, AdminRig] = [undefined as never, undefined as never];
let redis: Redis;
beforeAll(async () => {
  const prefix = `events-${Math.random().toString(36).slice(2)}`;
  rig = await adminRig({ prefix });
  other = await adminRig({ prefix, stopping: stopping.signal });
  redis = openRedis(rig.tasks.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await rig.close();
  await other.close();
});

interface Listener {
  response: Response;
  /** All that has arrived. */
  text(): string;
  /** Number of requests in all changes. */
  requests(): number;
  tasks(): string[];
  hasEnded(): boolean;
  close(): void;
}

async function listen(client: ConsoleClient): Promise<Listener> {
  const response = await client.call(PATH);
  let [text, ended] = ['', false];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) text += read.value;
    ended = true;
  })().catch(() => (ended = true));
  await expect.poll(() => text).toContain('retry:');
  // The cast is safe because this is the documented form of a change.
  const changes = () =>
    [...text.matchAll(/^event: change\ndata: (.+)\n\n/gm)].map(
      ([, json = '']) => JSON.parse(json) as { requests: number; tasks: string[] },
    );
  return {
    response,
    text: () => text,
    requests: () => changes().reduce((sum, { requests }) => sum + requests, 0),
    tasks: () => changes().flatMap(({ tasks }) => tasks),
    hasEnded: () => ended,
    close: () => void reader?.cancel(),
  };
}

/** Adds the message that a worker adds after it has stored entries, until the listener knows its position. */
async function storeEntries(keys: Record<string, number>): Promise<void> {
  await redis.xadd(ledgerKeys(rig.tasks.prefix).stored, '*', 'keys', JSON.stringify(keys));
}

describe('GET /console/api/events', () => {
  it('reports new requests and changed tasks of all keys to operators, and only its own to a holder', async () => {
    const [admin, alice, bob] = await Promise.all([
      signIn(rig, ADMIN_KEY, 'viewer').then(listen),
      signIn(other, KEYS.alice).then(listen),
      signIn(other, KEYS.bob).then(listen),
    ]);
    expect(admin.response.headers.get('content-type')).toContain('text/event-stream');
    // A listener learns of changes after its first reading.
    await expect
      .poll(
        async () => {
          await storeEntries({ alice: 2, carol: 1 });
          return Math.min(admin.requests(), alice.requests());
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    const id = await rig.createdId();
    await rig.call(`/v1/videos/${id}/cancel`, { method: 'POST' });
    await expect.poll(() => [admin.tasks(), alice.tasks()]).toEqual([[id], [id]]);
    expect(admin.requests() % 3).toBe(0);
    expect(alice.requests() % 2).toBe(0);
    expect([bob.requests(), bob.tasks()]).toEqual([0, []]);
    expect(admin.text()).not.toContain('alice');
    for (const one of [admin, alice, bob]) one.close();
  });

  it('reads nothing from Redis while no console listens', async () => {
    const reads = await countReads();
    const isQuiet = async (): Promise<boolean> => {
      const before = reads.count();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return reads.count() === before;
    };
    await expect.poll(isQuiet).toBe(true);
    const admin = await listen(await signIn(rig, ADMIN_KEY));
    await expect.poll(isQuiet).toBe(false);
    admin.close();
    await expect.poll(isQuiet).toBe(true);
    reads.close();
  });

  it('leaves streams for others if one user opens too many', async () => {
    const bob = [await signIn(rig, KEYS.bob), await signIn(rig, KEYS.bob)] as const;
    const streams = await Promise.all(Array.from({ length: 50 }, () => bob[0].call(PATH)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await bob[1].call(PATH);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
    (await listen(await signIn(rig, KEYS.alice))).close();
    await Promise.all(streams.map(async ({ body }) => body?.cancel()));
    await expect.poll(async () => (await bob[1].call(PATH)).status).toBe(200);
  });

  it('ends with its session', async () => {
    const client = await signIn(rig, KEYS.carol);
    const carol = await listen(client);
    await client.call('/console/api/session', { method: 'DELETE' });
    await expect.poll(() => carol.hasEnded()).toBe(true);
  });

  it('ends when the process stops', async () => {
    const admin = await listen(await signIn(other, ADMIN_KEY));
    stopping.abort();
    await expect.poll(() => admin.hasEnded()).toBe(true);
  });

  it('sends only the head of a response to HEAD', async () => {
    const response = await (await signIn(rig, ADMIN_KEY)).call(PATH, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
  });
});

/**
 * Counts the commands that read the messages of stored entries. Other tests share the server, but not the prefix. Reads a
 * plain connection, because ioredis's `monitor()` throws if other commands follow the reply to `MONITOR` at once.
 */
async function countReads(): Promise<{ count: () => number; close: () => void }> {
  const { path, host, port = 0 } = redis.options;
  const socket = createConnection(path === undefined ? { port, host } : { path });
  const { stored } = ledgerKeys(rig.tasks.prefix);
  const lines = createInterface({ input: socket });
  let reads = 0;
  lines.on('line', (line) => (reads += Number(line.includes(stored))));
  socket.write('MONITOR\r\n');
  await once(lines, 'line');
  return { count: () => reads, close: () => socket.destroy() };
}
