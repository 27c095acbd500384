import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, type Logger } from '@sluice/telemetry';
import { openRedis, testRedis } from '@sluice/testkit';
import { createGuardedPost } from '@sluice/upstreams';
import { createWebhookWorker, type WebhookWorkerOptions } from '../src/delivery/create-webhook-worker.ts';
import { createWebhooks, type Webhooks } from '../src/create-webhooks.ts';
import { sampleTask } from '../src/delivery/sample-task.ts';
import { defineWebhookScripts } from '../src/store/webhook-scripts.ts';
import type { WebhookSettings } from '../src/store/webhook-settings.ts';

export interface ReceivedEvent {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: { id: string; type: string; data: { id: string } };
}

export interface Receiver {
  origin: string;
  received: ReceivedEvent[];
  /** Sends the response. By default, sends a 200. */
  response: (response: ServerResponse, received: ReceivedEvent) => void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const received: ReceivedEvent = {
        path: request.url ?? '',
        headers: plain(request.headers),
        body,
        // The cast is safe because the rig's worker encoded the event.
        event: JSON.parse(body) as ReceivedEvent['event'],
      };
      receiver.received.push(received);
      receiver.response(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${port}`,
    received: [],
    response: (response) => void response.writeHead(200).end('ok'),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Webhooks on the test run's Redis, with a clock that the test controls. */
export interface WebhookRig {
  webhooks: Webhooks;
  clock: { now: number };
  settings: WebhookSettings;
  logs(): string;
  redis: ReturnType<typeof openRedis>;
  prefix: string;
  logger: Logger;
  startWorker(options?: Partial<WebhookWorkerOptions>): { close(graceMs: number): Promise<void> };
  receiver(): Promise<Receiver>;
  /** Ends a task as the task scripts do, and returns its id. */
  endTask(entry?: { owner?: string; status?: string; kind?: 'video' | 'image'; callback?: string }): Promise<string>;
  /** Returns the names of all webhook keys in Redis, without their prefix. */
  keys(): Promise<string[]>;
  /** Ids of tasks that their owner has deleted. */
  deleted: Set<string>;
  revoked: Set<string>;
  /** Replaces the guarded HTTP client. */
  post?: WebhookWorkerOptions['post'];
  close(): Promise<void>;
}

const FAST: WebhookSettings = {
  retryMs: [5_000, 300_000, 1_800_000],
  timeoutMs: 5_000,
  leaseMs: 1_000,
  pollMs: 10,
  rotationMs: 86_400_000,
  concurrency: 16,
  perHost: 2,
  perOwner: 8,
  perKey: 3,
  retentionMs: 600_000,
};

export async function webhookRig(overrides: Partial<WebhookSettings> = {}): Promise<WebhookRig> {
  const { redisUrl, prefix } = testRedis();
  const settings = { ...FAST, ...overrides };
  const redis = openRedis(redisUrl);
  defineWebhookScripts(redis);
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const secret = 'a secret of the rig';
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    name: 'worker',
    pretty: false,
    destination: { write: (line) => void lines.push(line) },
  });
  const closers: (() => unknown)[] = [];
  const allowOrigins: string[] = [];
  let tasks = 0;
  const rig: WebhookRig = {
    webhooks: createWebhooks({ redis, prefix, secret, settings, logger, now }),
    clock,
    settings,
    logs: () => lines.join(''),
    redis,
    prefix,
    logger,
    deleted: new Set(),
    revoked: new Set(),
    async keys() {
      const keyPrefix = `{${prefix}}:webhooks:`;
      return (await redis.keys(`${keyPrefix}*`)).map((key) => key.slice(keyPrefix.length));
    },
    startWorker(options = {}) {
      const poster = createGuardedPost({ allowOrigins, timeoutMs: settings.timeoutMs, now });
      const connection = openRedis(redisUrl);
      const worker = createWebhookWorker({
        redis: connection,
        prefix,
        secret,
        settings,
        now,
        random: () => 0.5,
        logger,
        post: poster.post,
        loadTask: async (id) => (rig.deleted.has(id) ? undefined : { ...sampleTask('video.completed', 1), id }),
        isRevoked: async (owner) => rig.revoked.has(owner),
        encodeEvent: (task, { id, type }) => JSON.stringify({ id, type, data: { id: task.id } }),
        ...options,
      });
      closers.push(
        () => worker.close(1_000),
        () => poster.close(),
        () => connection.disconnect(),
      );
      return worker;
    },
    async receiver() {
      const receiver = await startReceiver();
      allowOrigins.push(receiver.origin);
      closers.push(() => receiver.close());
      return receiver;
    },
    async endTask({ owner = 'alice', status = 'completed', kind = 'video', callback } = {}) {
      tasks += 1;
      const task = `${kind}_${String(tasks).padStart(26, '0')}`;
      const entry = { task, owner, kind, status, at: clock.now, callback, shape: callback && 'event' };
      await redis.rpush(`{${prefix}}:webhooks:outbox`, JSON.stringify(entry));
      return task;
    },
    async close() {
      for (const close of closers) await close();
      redis.disconnect();
    },
  };
  return rig;
}
