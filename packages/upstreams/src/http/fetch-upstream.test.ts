import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deadOrigin, readBody, sendJson, startServer, until } from '../../test/local-server.ts';
import { startRaw } from '../../test/raw-server.ts';
import { createUpstreamHttp, type FetchUpstream, type UpstreamHttp } from './fetch-upstream.ts';
import { UpstreamError } from './upstream-error.ts';

let http: UpstreamHttp;
beforeEach(() => {
  http = createUpstreamHttp({ maxResponseBytes: 10_000 });
});
afterEach(() => http.close());

type UpstreamCall = Parameters<FetchUpstream>[0];

function call(url: string, more: Partial<UpstreamCall> = {}): UpstreamCall {
  return { method: 'POST', url, timeoutMs: 10_000, signal: new AbortController().signal, ...more };
}

async function failureOf(calling: Promise<unknown>): Promise<UpstreamError> {
  const error = await calling.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof UpstreamError) return error;
  throw new Error('expected an UpstreamError', { cause: error });
}

async function* endless(onStop: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      yield Buffer.alloc(64 * 1024);
      await sleep(1);
    }
  } finally {
    onStop();
  }
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('abc');
  throw new Error('disk');
}

async function* short(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('abc');
}

async function* slowly(): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; chunk < 12; chunk += 1) {
    await sleep(150);
    yield Buffer.alloc(1000);
  }
}

async function* stuck(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('abc');
  await sleep(5000);
}

describe('fetchUpstream › response', () => {
  it('has the status, the relevant headers, and parsed JSON', async () => {
    await using server = await startServer((_request, response) =>
      sendJson(response, 429, { error: { code: 'slow' } }, { 'retry-after': '7', 'set-cookie': 'secret' }),
    );
    const reply = await http.fetchUpstream(call(`${server.origin}/videos`));
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual({ error: { code: 'slow' } });
    expect(reply.headers['retry-after']).toBe('7');
    expect(reply.headers).not.toHaveProperty('set-cookie');
  });

  it('has no body when it is not JSON', async () => {
    await using server = await startServer((_request, response) => response.end('<html>busy</html>'));
    expect(await http.fetchUpstream(call(server.origin))).toMatchObject({ status: 200, body: undefined });
  });

  it('may be as long as the call allows', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, 'x'.repeat(20_000)));
    await expect(http.fetchUpstream(call(server.origin))).rejects.toMatchObject({ failure: 'too_large' });
    const { body } = await http.fetchUpstream(call(server.origin, { maxResponseBytes: 30_000 }));
    expect(body).toHaveLength(20_000);
  });

  it('is read when sent before the upload has ended, and the upload stops', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 413, { error: 'too big' }));
    let stopped = false;
    const source = endless(() => (stopped = true));
    const body = { kind: 'stream', contentType: 'application/octet-stream', source } as const;
    expect(await http.fetchUpstream(call(server.origin, { body }))).toMatchObject({ status: 413 });
    await until(() => stopped);
  });

  it('is aborted when longer than allowed', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, { id: 'x'.repeat(20_000) }));
    expect(await failureOf(http.fetchUpstream(call(server.origin)))).toMatchObject({
      failure: 'too_large',
      sent: 'maybe',
    });
  });
});

describe('fetchUpstream › request', () => {
  it('carries the task id, JSON, and allowed headers only', async () => {
    const bodies: string[] = [];
    await using server = await startServer(async (request, response) => {
      bodies.push((await readBody(request)).toString());
      sendJson(response, 200, {});
    });
    const headers = { authorization: 'Bearer k', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4' };
    await http.fetchUpstream(
      call(server.origin, { headers, taskId: 'video_1', body: { kind: 'json', value: { a: 1 } } }),
    );
    expect(bodies).toEqual(['{"a":1}']);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'x-client-request-id': 'video_1',
      'content-type': 'application/json',
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('cookie');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-forwarded-for');
  });

  it("carries the operator's headers, which override the gateway's but not the body's", async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, {}));
    await http.fetchUpstream(
      call(server.origin, {
        headers: { authorization: 'Bearer ours' },
        ownHeaders: { Authorization: 'Bearer theirs', 'X-Title': 'clips', 'Content-Type': 'text/plain' },
        body: { kind: 'json', value: {} },
      }),
    );
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer theirs',
      'x-title': 'clips',
      'content-type': 'application/json',
    });
  });

  it('is never repeated, even when a kept-alive connection breaks', async () => {
    await using server = await startServer((request, response) => {
      if (server.requests.length === 1) sendJson(response, 200, {});
      else request.socket.destroy();
    });
    await http.fetchUpstream(call(server.origin));
    // The connection can be reused shortly after the response.
    await sleep(100);
    expect(await failureOf(http.fetchUpstream(call(server.origin)))).toMatchObject({ failure: 'reset', sent: 'maybe' });
    await sleep(100);
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(1);
  });

  it('does not follow redirects', async () => {
    await using server = await startServer((_request, response) => response.writeHead(307, { location: '/b' }).end());
    expect(await http.fetchUpstream(call(`${server.origin}/a`))).toMatchObject({ status: 307 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('fetchUpstream › reports that nothing was sent', () => {
  it('when the connection is refused', async () => {
    expect(await failureOf(http.fetchUpstream(call(await deadOrigin())))).toMatchObject({
      failure: 'connect',
      sent: 'no',
    });
  });

  it('when TLS fails', async () => {
    await using raw = await startRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const failing = http.fetchUpstream(call(`https://127.0.0.1:${raw.port}`));
    expect(await failureOf(failing)).toMatchObject({ failure: 'connect', sent: 'no' });
  });

  it('when the connection times out', async () => {
    await using raw = await startRaw(() => undefined);
    const failing = http.fetchUpstream(call(`https://127.0.0.1:${raw.port}`, { timeoutMs: 50 }));
    expect(await failureOf(failing)).toMatchObject({ failure: 'connect', sent: 'no' });
  });

  it('when the caller aborts while connecting', async () => {
    await using raw = await startRaw(() => undefined);
    const stop = new AbortController();
    const calling = failureOf(http.fetchUpstream(call(`https://127.0.0.1:${raw.port}`, { signal: stop.signal })));
    await until(() => raw.received() > 0);
    stop.abort();
    expect(await calling).toMatchObject({ failure: 'aborted', sent: 'no' });
  });

  it('when the caller had aborted before', async () => {
    await using server = await startServer((_request, response) => sendJson(response, 200, {}));
    const failing = http.fetchUpstream(call(server.origin, { signal: AbortSignal.abort() }));
    expect(await failureOf(failing)).toMatchObject({ failure: 'aborted', sent: 'no' });
    expect(server.requests).toHaveLength(0);
  });

  it('when the URL is invalid', async () => {
    expect(await failureOf(http.fetchUpstream(call('nonsense')))).toMatchObject({ failure: 'connect', sent: 'no' });
  });
});

describe('fetchUpstream › reports that something may have been sent', () => {
  it('when the connection breaks after the request', async () => {
    await using server = await startServer(async (request) => {
      await readBody(request);
      request.socket.destroy();
    });
    expect(await failureOf(http.fetchUpstream(call(server.origin)))).toMatchObject({ failure: 'reset', sent: 'maybe' });
  });

  it('when the response is truncated', async () => {
    await using server = await startServer((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"id":');
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect(await failureOf(http.fetchUpstream(call(server.origin)))).toMatchObject({ failure: 'reset', sent: 'maybe' });
  });

  it('when the response is not HTTP', async () => {
    await using raw = await startRaw((socket) => socket.end('garbage\r\n\r\n'));
    const failing = http.fetchUpstream(call(`http://127.0.0.1:${raw.port}`));
    expect(await failureOf(failing)).toMatchObject({ failure: 'reset', sent: 'maybe' });
  });

  it('when no response arrives', async () => {
    await using server = await startServer(() => undefined);
    const failing = http.fetchUpstream(call(server.origin, { timeoutMs: 50 }));
    expect(await failureOf(failing)).toMatchObject({ failure: 'timeout', sent: 'maybe' });
  });

  it('when the response exceeds the timeout byte by byte', async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const failing = http.fetchUpstream(call(server.origin, { timeoutMs: 200 }));
    expect(await failureOf(failing)).toMatchObject({ failure: 'timeout', sent: 'maybe' });
  });

  it('when the caller aborts while waiting', async () => {
    await using server = await startServer(() => undefined);
    const stop = new AbortController();
    const calling = failureOf(http.fetchUpstream(call(server.origin, { signal: stop.signal })));
    await until(() => server.requests.length > 0);
    stop.abort();
    expect(await calling).toMatchObject({ failure: 'aborted', sent: 'maybe' });
  });

  it('when the source breaks or is shorter than declared', async () => {
    await using server = await startServer((request) => void readBody(request).catch(() => undefined));
    for (const source of [broken(), short()]) {
      const body = { kind: 'stream', contentType: 'text/plain', bytes: 10, source } as const;
      expect(await failureOf(http.fetchUpstream(call(server.origin, { body })))).toMatchObject({ failure: 'source' });
    }
  });
});

describe('fetchUpstream › slow upload', () => {
  it('may exceed the timeout while it makes progress', async () => {
    await using server = await startServer(async (request, response) => {
      sendJson(response, 200, { bytes: (await readBody(request)).length });
    });
    const body = { kind: 'stream', contentType: 'text/plain', bytes: 12_000, source: slowly() } as const;
    expect(await http.fetchUpstream(call(server.origin, { body, timeoutMs: 1200 }))).toMatchObject({
      body: { bytes: 12_000 },
    });
  });

  it('times out when it stalls', async () => {
    await using server = await startServer((request) => void readBody(request).catch(() => undefined));
    const body = { kind: 'stream', contentType: 'text/plain', source: stuck() } as const;
    const failing = http.fetchUpstream(call(server.origin, { body, timeoutMs: 100 }));
    expect(await failureOf(failing)).toMatchObject({ failure: 'timeout', sent: 'maybe' });
  });
});

describe('fetchUpstream › failure', () => {
  it('names no host in its message', async () => {
    const origin = await deadOrigin();
    const { message } = await failureOf(http.fetchUpstream(call(origin)));
    expect(message).not.toContain('127.0.0.1');
    expect(message).not.toContain(new URL(origin).port);
  });
});
