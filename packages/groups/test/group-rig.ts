import { GatewayError, type MediaTask, type TaskStatus, type VideoGroup } from '@sluice/canonical';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import { createGroupStore, type GroupParams, type GroupStore } from '../src/group-store.ts';
import { type GroupWorker, type GroupWorkerOptions, startGroupWorker } from '../src/group-worker.ts';

export const OWNER = 'alice';
export const LEASE_MS = 60_000;
export const RETENTION_MS = 86_400_000;
const NANOS_PER_USD = 1e9;

interface Call {
  key: string;
  path: string;
  body: Record<string, unknown>;
}

/** The scripted API's reply to a creation. `lost` creates the task, but its response never arrives. */
type Reply = 'created' | 'lost' | { status: number; code?: string; message?: string };

/** Groups in a real Redis, and a scripted API with one task for each idempotency key. */
export interface GroupRig {
  clock: { now: number };
  redis: Redis;
  prefix: string;
  store: GroupStore;
  /** All requests for tasks, in order. */
  calls: Call[];
  /** The tasks by id. Tests change their states. */
  tasks: Map<string, MediaTask>;
  /** Prompts of tasks whose Redis server is unavailable. */
  unavailable: Set<string>;
  reply: (call: Call) => Reply;
  /** Creates a group of videos with the prompts `0`, `1`, and so on, which cost at most one US dollar each. */
  create(videos: number, params?: Partial<GroupParams>): Promise<VideoGroup>;
  startWorker(redis?: Redis): GroupWorker;
  /** Ends all tasks that have not ended, or one with a prompt. */
  endTasks(status: TaskStatus, end?: Partial<MediaTask>, prompt?: string): void;
  /** Waits until a group matches. */
  until(group: Pick<VideoGroup, 'id'>, match: object): Promise<VideoGroup>;
  /** Removes and returns the events in the outbox of webhooks. */
  events(): Promise<unknown[]>;
  close(): Promise<void>;
}

/** @param server by default, the Redis of the test run */
export function groupRig(server?: { redis: Redis; prefix: string }): GroupRig {
  const { redis, prefix } = server ?? ownRedis();
  const clock = { now: 1_700_000_000_000 };
  const settings = { perOwner: 3, retentionMs: RETENTION_MS };
  const store = createGroupStore({ redis, prefix, settings, now: () => clock.now });
  const workers: GroupWorker[] = [];
  const known = new Map<string, string>();

  const rig: GroupRig = {
    clock,
    redis,
    prefix,
    store,
    calls: [],
    tasks: new Map(),
    unavailable: new Set(),
    reply: () => 'created',
    async create(videos, params = {}) {
      const items = Array.from({ length: videos }, (_, at) => ({
        fields: { prompt: String(at) },
        maxNanos: NANOS_PER_USD,
      }));
      const all = { shared: { model: 'video' }, items, headers: {}, digest: 'a', ...params };
      return (await store.create(OWNER, all)).group;
    },
    startWorker(connection = redis) {
      const worker = startGroupWorker({
        redis: connection,
        prefix,
        settings: { ...settings, pollMs: 10, leaseMs: LEASE_MS },
        serve: serveTo(rig, known),
        async findTask(id) {
          const task = rig.tasks.get(id);
          if (!rig.unavailable.has(task?.prompt ?? '')) return task;
          throw new GatewayError('store_unavailable', 'The task store is unavailable.');
        },
        logger: { warn() {}, error() {} },
        now: () => (clock.now += 1),
      });
      workers.push(worker);
      return worker;
    },
    endTasks(status, end = {}, prompt) {
      for (const task of rig.tasks.values()) {
        if (prompt !== undefined && task.prompt !== prompt) continue;
        if (task.status === 'queued') Object.assign(task, { status, ...end });
      }
    },
    async until({ id }, match) {
      await expect.poll(() => store.find(OWNER, id), { timeout: 20_000 }).toMatchObject(match);
      return store.find(OWNER, id);
    },
    async events() {
      const outbox = `{${prefix}}:webhooks:outbox`;
      const entries = await redis.lrange(outbox, 0, -1);
      await redis.del(outbox);
      return entries.map((entry): unknown => JSON.parse(entry));
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close(1_000)));
      redis.disconnect();
    },
  };
  return rig;
}

function ownRedis(): { redis: Redis; prefix: string } {
  const { redisUrl, prefix } = testRedis();
  return { redis: openRedis(redisUrl), prefix };
}

/** Creates one task for each idempotency key, as the API does. */
function serveTo(rig: GroupRig, known: Map<string, string>): GroupWorkerOptions['serve'] {
  return async ({ path, headers, body = '{}' }) => {
    const [, canceled] = /^\/v1\/videos\/(\w+)\/cancel$/.exec(path) ?? [];
    if (canceled !== undefined) {
      Object.assign(rig.tasks.get(canceled) ?? {}, { status: 'canceled', cancelRequested: true });
      return replyOf(200, {});
    }
    const key = headers['idempotency-key'] ?? '';
    const call: Call = { key, path, body: JSON.parse(body) as Record<string, unknown> }; // The worker sends objects.
    rig.calls.push(call);
    const reply = rig.reply(call);
    if (typeof reply === 'object') {
      const { code = null, message = 'Refused.' } = reply;
      return replyOf(reply.status, { error: { code, message } });
    }
    const id = known.get(key) ?? `video_${rig.tasks.size}`;
    known.set(key, id);
    if (!rig.tasks.has(id)) {
      // The cast is safe because groups read only these fields.
      const task = { id, status: 'queued', prompt: call.body['prompt'], cancelRequested: false } as MediaTask;
      rig.tasks.set(id, task);
    }
    if (reply === 'lost') throw new Error('the connection was lost');
    return replyOf(200, { id });
  };
}

function replyOf(status: number, body: unknown) {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(body));
  }
  return { status, headers: { 'retry-after': '0.01' }, body: bytes() };
}
