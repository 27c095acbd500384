import { once } from 'node:events';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventStream, openEventStream } from './event-stream.ts';

let app: FastifyInstance;
let origin: string;
let opened: PromiseWithResolvers<EventStream>;
let keepAliveMs = 60_000;
/** Resolves when the late request arrives. */
let arrived: PromiseWithResolvers<void>;
/** Number of keep-alives sent. */
let alive: number;

beforeEach(async () => {
  opened = Promise.withResolvers();
  keepAliveMs = 60_000;
  arrived = Promise.withResolvers();
  alive = 0;
  app = Fastify({ forceCloseConnections: true });
  const open = (reply: FastifyReply): Promise<never> => {
    void reply.header('x-request-id', 'req_1');
    const stream = openEventStream(reply, {
      contentType: 'text/event-stream',
      keepAliveMs,
      keepAlive: () => {
        alive += 1;
        return ': alive\n\n';
      },
    });
    opened.resolve(stream);
    // Never resolves, because each test sends its own response.
    return new Promise(() => undefined);
  };
  app.get('/', (_request, reply) => open(reply));
  app.get('/late', async (_request, reply) => {
    arrived.resolve();
    await once(reply.raw, 'close');
    return open(reply);
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

async function sendRequest(signal?: AbortSignal): Promise<{ stream: EventStream; response: Promise<Response> }> {
  const response = fetch(origin, signal ? { signal } : {});
  response.catch(() => undefined);
  return { stream: await opened.promise, response };
}

describe('an event stream', () => {
  it('starts with the headers set so far, unbuffered and uncached', async () => {
    const { stream, response } = await sendRequest();
    expect(stream.hasStarted).toBe(false);
    stream.begin({ 'x-served': 'me' });
    stream.begin({ 'x-served': 'second' });
    stream.write('data: é\n\n', 'utf8');
    stream.end([Buffer.from('data: '), Buffer.from('b\n\n')]);
    const { headers, status } = await response;
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-request-id': 'req_1',
      'x-served': 'me',
    });
    expect(await (await response).text()).toBe('data: é\n\ndata: b\n\n');
  });

  it('writes bytes given as one character each unchanged', async () => {
    const { stream, response } = await sendRequest();
    stream.begin({});
    stream.write(Buffer.from('data: 你\n\n').toString('latin1'), 'latin1');
    stream.end();
    expect(await (await response).text()).toBe('data: 你\n\n');
  });

  it('sends keep-alives when it has nothing else to send', async () => {
    keepAliveMs = 30;
    const { stream, response } = await sendRequest();
    const { body } = await response;
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(': alive\n\n');
    expect(stream.hasStarted).toBe(true);
    stream.end();
    let rest = '';
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      rest += Buffer.from(next.value).toString();
    }
    expect(rest.replaceAll(': alive\n\n', '')).toBe('');
  });

  it('applies back-pressure to a writer while the client does not read', async () => {
    const { stream, response } = await sendRequest();
    stream.begin({});
    const drained = new Promise<void>((resolve) => stream.onDrain(resolve));
    let written = 0;
    while (stream.write('x'.repeat(100_000), 'latin1')) written += 1;
    expect(written).toBeLessThan(10_000);
    const { body } = await response;
    const reader = body?.getReader();
    const reading = { isOver: false };
    void drained.then(() => (reading.isOver = true));
    while (!reading.isOver) await reader?.read();
    stream.end();
  });

  it('sends nothing after it is canceled before its start', async () => {
    keepAliveMs = 20;
    const controller = new AbortController();
    const { stream, response } = await sendRequest(controller.signal);
    stream.cancel();
    const firstResult = await Promise.race([
      response.then(() => 'sent'),
      new Promise((resolve) => setTimeout(() => resolve('silent'), 100)),
    ]);
    expect(firstResult).toBe('silent');
    expect(stream.hasStarted).toBe(false);
    controller.abort();
  });

  it('does not block on a client that disconnected before it was opened', async () => {
    keepAliveMs = 10;
    const controller = new AbortController();
    const response = fetch(`${origin}/late`, { signal: controller.signal });
    await arrived.promise;
    controller.abort();
    await expect(response).rejects.toThrow();
    const stream = await opened.promise;
    stream.begin({});
    // If `write` returned false here, `onDrain` would never be called.
    expect(stream.write('data: a\n\n', 'utf8')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(alive).toBe(0);
    stream.end();
  });

  it('sends nothing to a disconnected client', async () => {
    keepAliveMs = 20;
    const controller = new AbortController();
    const { stream, response } = await sendRequest(controller.signal);
    stream.begin({});
    await response;
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 60));
    stream.write('data: a\n\n', 'utf8');
    stream.end();
    expect((await fetch(`${origin}/nothing`)).status).toBe(404);
  });
});
