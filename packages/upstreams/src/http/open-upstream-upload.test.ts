import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deadOrigin, readBody, startServer, until } from '../../test/local-server.ts';
import { textOf } from '../../test/text-rig.ts';
import { createUpstreamHttp, type UpstreamHttp } from './fetch-upstream.ts';
import type { OpenUpstream } from './open-upstream.ts';

type OpenCall = Parameters<OpenUpstream>[0];

let http: UpstreamHttp;
beforeEach(() => {
  http = createUpstreamHttp();
});
afterEach(() => http.close());

function upload(origin: string, body: AsyncIterable<Uint8Array>, more: Partial<OpenCall> = {}) {
  const { signal } = new AbortController();
  const call = { method: 'POST', path: '/x', headers: [], firstMs: 10_000, idleMs: 10_000, signal } as const;
  return http.openUpstream({ ...call, headers: [...call.headers], origin, body, ...more });
}

const KIB = 1024;

it('sends a stream as chunks', async () => {
  await using server = await startServer(async (request, response) => response.end(await readBody(request)));
  const reply = await upload(
    server.origin,
    (async function* () {
      yield Buffer.from('a');
      await sleep(10);
      yield Buffer.from('b');
    })(),
  );
  expect(await textOf(reply)).toBe('ab');
  expect(server.requests[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
});

it('reads no more than the upstream accepts', async () => {
  await using server = await startServer(() => undefined);
  let yielded = 0;
  const leaving = new AbortController();
  const reply = upload(
    server.origin,
    (async function* () {
      for (; yielded < 10_000; yielded += 1) yield Buffer.alloc(64 * KIB);
    })(),
    { signal: leaving.signal },
  );
  await sleep(300);
  leaving.abort();
  await expect(reply).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
  expect(yielded).toBeLessThan(500);
});

it('does not count a slow source as upstream idle time', async () => {
  await using server = await startServer(async (request, response) => response.end(await readBody(request)));
  const reply = await upload(
    server.origin,
    (async function* () {
      yield Buffer.from('a');
      await sleep(2_000);
      yield Buffer.from('b');
    })(),
    { firstMs: 1_000 },
  );
  expect(await textOf(reply)).toBe('ab');
});

it.each([
  ['accepts nothing', 100_000],
  ['does not respond after the last chunk', 1],
])('aborts when the upstream %s', async (_what, chunks) => {
  await using server = await startServer(() => undefined);
  const reply = upload(
    server.origin,
    (async function* () {
      for (let at = 0; at < chunks; at += 1) yield Buffer.alloc(64 * KIB);
    })(),
    { firstMs: 100 },
  );
  await expect(reply).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
});

it('reports a failed source and aborts the request', async () => {
  let broken = false;
  await using server = await startServer((request) => {
    request.on('data', () => undefined).on('error', () => (broken = true));
  });
  const why = new Error('why');
  const reply = upload(
    server.origin,
    (async function* () {
      yield Buffer.from('a');
      await sleep(50);
      throw why;
    })(),
  );
  await expect(reply).rejects.toMatchObject({ failure: 'source', sent: 'maybe' });
  await until(() => broken);
});

it('returns an error response that arrives before the upload ends', async () => {
  await using server = await startServer((request, response) => {
    request.once('data', () => response.writeHead(413).end('too large'));
  });
  let ended = false;
  const reply = await upload(
    server.origin,
    (async function* () {
      try {
        yield Buffer.from('a');
        await sleep(100);
        for (let at = 0; at < 100_000; at += 1) yield Buffer.alloc(64 * KIB);
      } finally {
        ended = true;
      }
    })(),
  );
  expect([reply.status, await textOf(reply)]).toEqual([413, 'too large']);
  await until(() => ended);
});

it('leaves the source unread without a connection', async () => {
  let isRead = false;
  const reply = upload(
    await deadOrigin(),
    (async function* () {
      isRead = true;
      yield Buffer.from('a');
    })(),
  );
  await expect(reply).rejects.toMatchObject({ failure: 'connect', sent: 'no' });
  expect(isRead).toBe(false);
});
