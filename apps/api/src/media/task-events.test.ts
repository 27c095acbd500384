import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTaskEngine } from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import { fastTaskSettings } from '@sluice/testkit';
import { EventSource } from 'eventsource';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

let rig: ApiRig;
afterEach(() => rig.close());

/** A vendor whose progress increases with every second poll. */
const rising = {
  poll: (_job: unknown, count: number) =>
    count < 20
      ? ({ kind: 'running', progress: 5 * Math.ceil(count / 2) } as const)
      : ({ kind: 'succeeded', seconds: '4', size: '320x176' } as const),
};
const ALL_EVENTS = [
  'video.queued queued 0',
  'video.in_progress in_progress 1',
  ...Array.from({ length: 10 }, (_, i) => `video.in_progress in_progress ${5 * (i + 1)}`),
  'video.completed completed 100',
];

interface SeenEvent {
  id: string;
  event: string;
  data: { id: string; status: string; progress: number };
}

const short = (events: readonly SeenEvent[]) =>
  events.map(({ event, data: { status, progress } }) => `${event} ${status} ${progress}`);

function parse(text: string): SeenEvent[] {
  return text.split('\n\n').flatMap((frame) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? '';
    const { id, event, data } = { id: field('id'), event: field('event'), data: field('data') };
    return event === '' ? [] : [{ id, event, data: JSON.parse(data) as SeenEvent['data'] }];
  });
}

async function eventsOf(id: string, query = '', headers: Record<string, string> = {}): Promise<SeenEvent[]> {
  const response = await rig.call(`/v1/videos/${id}/events${query}`, {
    headers: { authorization: `Bearer ${KEYS.alice}`, ...headers },
  });
  expect(response.status).toBe(200);
  return parse(await response.text());
}

/** Reads events as a browser does. Reconnects until it receives 204. */
function listen(url: string): { events: SeenEvent[]; connections: () => number; closed: Promise<void> } {
  const events: SeenEvent[] = [];
  const closed = Promise.withResolvers<void>();
  let connections = 0;
  const source = new EventSource(url, {
    fetch: (at, init) => {
      connections += 1;
      return fetch(at, { ...init, headers: { ...init.headers, authorization: `Bearer ${KEYS.alice}` } });
    },
  });
  for (const name of ['queued', 'in_progress', 'completed', 'failed']) {
    source.addEventListener(`video.${name}`, ({ type, data, lastEventId }) => {
      events.push({ id: lastEventId, event: type, data: JSON.parse(String(data)) as SeenEvent['data'] });
    });
  }
  source.addEventListener('error', () => {
    if (source.readyState === source.CLOSED) closed.resolve();
  });
  return { events, connections: () => connections, closed: closed.promise };
}

/** A proxy that cuts each of the first connections after the given number of bytes. */
async function cuttingProxy(port: number, cuts: number[]): Promise<{ port: number; close(): void }> {
  const server = createServer((client) => {
    let remaining = cuts.shift() ?? Infinity;
    const api = connect({ port, host: '127.0.0.1' });
    for (const socket of [client, api]) socket.on('error', () => socket.destroy());
    for (const socket of [client, api]) socket.on('close', () => [client, api].forEach((one) => one.destroy()));
    client.pipe(api);
    api.on('data', (chunk: Buffer) => {
      client.write(chunk.subarray(0, remaining), () => remaining <= 0 && client.destroy());
      remaining -= chunk.byteLength;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The cast is safe because the server listens on TCP.
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** A proxy to Redis whose connections can be interrupted. */
async function interruptibleProxy(redisUrl: string) {
  const sockets = new Set<Socket>();
  let isDown = false;
  const target = redisUrl.startsWith('unix://')
    ? { path: redisUrl.slice('unix://'.length) }
    : { host: new URL(redisUrl).hostname, port: Number(new URL(redisUrl).port) };
  const server = createServer((client) => {
    if (isDown) return client.destroy();
    const redis = connect(target);
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [client, redis].forEach((one) => one.destroy()));
    }
    client.pipe(redis).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    // The cast is safe because the server listens on TCP.
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    down() {
      isDown = true;
      for (const socket of sockets) socket.destroy();
    },
    up() {
      isDown = false;
    },
    close: () => server.close(),
  };
}

describe('GET /v1/videos/{id}/events', () => {
  it('sends an EventSource each change once, in order, and stops it at the end', async () => {
    rig = await apiRig({ script: rising });
    const id = await rig.createdId();
    const { events, closed, connections } = listen(`${rig.origin}/v1/videos/${id}/events`);
    await rig.tasks.startWorker();
    await closed;
    expect(short(events)).toEqual(ALL_EVENTS);
    expect(connections()).toBe(2); // The second connection receives 204.
    expect(events.every(({ data }) => data.id === id)).toBe(true);
    expect(events.at(-1)?.data).toEqual(await (await rig.call(`/v1/videos/${id}`)).json());
  });

  it('sends an EventSource each change once over an unreliable network', async () => {
    rig = await apiRig({ script: rising });
    const id = await rig.createdId();
    const line = await cuttingProxy(rig.port, [700, 1_021, 1_500]);
    const { events, closed, connections } = listen(`http://127.0.0.1:${line.port}/v1/videos/${id}/events`);
    await rig.tasks.startWorker();
    await closed;
    line.close();
    expect(short(events)).toEqual(ALL_EVENTS);
    expect(connections()).toBe(5); // Three connections were cut, and the last one receives 204.
  });

  it('resumes after any event by header or query, and prefers the header', async () => {
    rig = await apiRig({ script: rising });
    await rig.tasks.startWorker();
    const id = await rig.createdId();
    await eventsOf(id);
    const allEvents = await eventsOf(id);
    expect(short(allEvents)).toEqual(ALL_EVENTS);
    for (const [index, { id: known }] of allEvents.slice(0, -1).entries()) {
      const rest = allEvents.slice(index + 1);
      expect(await eventsOf(id, `?after=${known}`)).toEqual(rest);
      expect(await eventsOf(id, '?after=1', { 'last-event-id': known })).toEqual(rest);
    }
    expect(await eventsOf(id, '', { 'last-event-id': '' })).toEqual(allEvents);
    const last = await rig.call(`/v1/videos/${id}/events?after=${allEvents.at(-1)?.id}`);
    expect([last.status, await last.text()]).toEqual([204, '']);
  });

  it('reports a failure and a cancellation as failed, with the reason', async () => {
    rig = await apiRig({
      script: { submit: () => ({ kind: 'rejected', code: 'content_policy', message: 'not this' }) },
    });
    const canceled = await rig.createdId();
    await rig.call(`/v1/videos/${canceled}/cancel`, { method: 'POST' });
    await rig.tasks.startWorker();
    const failed = await rig.createdId();
    expect((await eventsOf(canceled)).at(-1)).toMatchObject({
      event: 'video.failed',
      data: { status: 'failed', error: { code: 'canceled' } },
    });
    expect((await eventsOf(failed)).at(-1)).toMatchObject({
      event: 'video.failed',
      data: { status: 'failed', error: { code: 'content_policy', message: 'not this' } },
    });
  });

  it.each(['?after=-1', '?after=x', '?after=1.5', '?after=1&after=2'])('rejects %s', async (query) => {
    rig = await apiRig();
    const response = await rig.call(`/v1/videos/${await rig.createdId()}/events${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param: 'after' } });
  });

  it('ignores an unknown Last-Event-ID, because an error would stop an EventSource for good', async () => {
    rig = await apiRig({ script: rising });
    await rig.tasks.startWorker();
    const id = await rig.createdId();
    await eventsOf(id);
    const allEvents = await eventsOf(id);
    for (const none of ['x', '-1', '1.5', '9'.repeat(20)]) {
      expect(await eventsOf(id, '', { 'last-event-id': none })).toEqual(allEvents);
      expect(await eventsOf(id, `?after=${allEvents[0]?.id}`, { 'last-event-id': none })).toEqual(allEvents.slice(1));
    }
  });

  it("requires a key, and does not find another key's video, an image, or an invalid id", async () => {
    rig = await apiRig({ images: true });
    const id = await rig.createdId();
    const image = await rig.call('/v1/images/generations', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEYS.alice}`,
        'content-type': 'application/json',
        prefer: 'respond-async',
      },
      body: JSON.stringify({ model: 'image', prompt: 'a boat' }),
    });
    const { id: imageId } = (await image.json()) as { id: string };
    const bob = { authorization: `Bearer ${KEYS.bob}` };
    expect((await rig.call(`/v1/videos/${id}/events`, { headers: bob })).status).toBe(404);
    expect((await rig.call(`/v1/videos/${imageId}/events`)).status).toBe(404);
    expect((await rig.call('/v1/videos/x/events')).status).toBe(404);
    expect((await rig.call(`/v1/videos/${id}/events`, { headers: {} })).status).toBe(401);
  });

  it('responds to HEAD without following the task', async () => {
    rig = await apiRig();
    const response = await rig.call(`/v1/videos/${await rig.createdId()}/events`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('sends keep-alives between events', async () => {
    rig = await apiRig({ config: { timeouts: { keep_alive_ms: 30 } } });
    const response = await rig.call(`/v1/videos/${await rig.createdId()}/events`);
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.split(': keep-alive\n\n').length > 3) break;
    }
    expect(text).toMatch(/^retry: 2000\n\nid: 1\nevent: video\.queued\ndata: \{.*\}\n\n(: keep-alive\n\n)+$/);
  });

  it('ends the stream cleanly when the process stops', async () => {
    const stop = new AbortController();
    rig = await apiRig({ stopping: stop.signal });
    const id = await rig.createdId();
    const response = await rig.call(`/v1/videos/${id}/events`);
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('video.queued')) stop.abort();
    }
    expect(short(parse(text))).toEqual(['video.queued queued 0']);
  });

  it('continues after a Redis outage, and returns 503 during one', async () => {
    rig = await apiRig({ script: rising });
    const line = await interruptibleProxy(rig.tasks.redisUrl);
    const engine = await createTaskEngine({
      redis: { url: line.url },
      prefix: rig.tasks.prefix,
      accounts: { vendor: { maxSubmitting: 16 } },
      settings: fastTaskSettings(),
      commandTimeoutMs: 300,
      logger: createLogger({ level: 'silent', name: 'test' }),
    });
    const behind = await apiRig({ engine });
    try {
      const id = await rig.createdId();
      const at = `/v1/videos/${id}/events`;
      const following = behind.call(at);
      const response = await following;
      line.down();
      await expect.poll(() => engine.ready()).toBe(false);
      expect((await behind.call(at)).status).toBe(503);
      await rig.tasks.startWorker();
      const [task] = (await rig.tasks.engine.list('alice', { kind: 'video', limit: 1, order: 'asc' })).tasks;
      if (task) await rig.tasks.end(task);
      line.up();
      expect(short(parse(await response.text()))).toEqual(ALL_EVENTS);
    } finally {
      await behind.close();
      await engine.close();
      line.close();
    }
  });
});
