import type { ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer, until } from '../../test/local-server.ts';
import { startRaw } from '../../test/raw-server.ts';
import { reading, textOf } from '../../test/text-rig.ts';
import { createUpstreamHttp, type UpstreamHttp } from './fetch-upstream.ts';
import { openingSockets } from './opening-sockets.ts';
import { createOpenUpstream, type OpenUpstream } from './open-upstream.ts';

type OpenCall = Parameters<OpenUpstream>[0];

let http: UpstreamHttp;
beforeEach(() => {
  http = createUpstreamHttp();
});
afterEach(() => http.close());

function call(origin: string, more: Partial<OpenCall> = {}): OpenCall {
  const { signal } = new AbortController();
  return {
    method: 'POST',
    origin,
    path: '/v1/x?y=1',
    headers: ['x-a', 'b'],
    firstMs: 10_000,
    idleMs: 10_000,
    signal,
    ...more,
  };
}

describe('connections', () => {
  it('are shared with fetchUpstream and reused', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await textOf(await http.openUpstream(call(server.origin, { body: '{}' })));
    // The connection can be reused shortly after its response.
    await sleep(50);
    const { signal } = new AbortController();
    await http.fetchUpstream({ method: 'GET', url: server.origin, timeoutMs: 10_000, signal });
    await sleep(50);
    await textOf(await http.openUpstream(call(server.origin)));
    expect([server.requests.length, server.connections()]).toEqual([3, 1]);
  });

  it('scale with the streams: hundreds run in parallel', async () => {
    const streams: ServerResponse[] = [];
    await using server = await startServer((_request, response) => {
      response.write('a');
      streams.push(response);
    });
    const responses = await Promise.all(Array.from({ length: 300 }, () => http.openUpstream(call(server.origin))));
    expect(streams).toHaveLength(300);
    const texts = responses.map(textOf);
    for (const stream of streams) stream.end('b');
    expect(new Set(await Promise.all(texts))).toEqual(new Set(['ab']));
  });

  it('are not reused after an aborted body', async () => {
    await using server = await startServer((_request, response) => response.write('a'));
    (await http.openUpstream(call(server.origin))).body.abort();
    (await http.openUpstream(call(server.origin))).body.abort();
    await until(() => server.connections() === 2);
  });

  it('are not opened for a call that ended while another connection was free', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await textOf(await http.openUpstream(call(server.origin)));
    const stop = new AbortController();
    const opening = http.openUpstream(call(server.origin, { signal: stop.signal }));
    stop.abort();
    await expect(opening).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
    await textOf(await http.openUpstream(call(server.origin)));
    expect(server.requests).toHaveLength(2);
  });
});

describe('call', () => {
  it('is sent unchanged, without a body if it has none', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await textOf(await http.openUpstream(call(server.origin, { method: 'GET' })));
    await textOf(await http.openUpstream(call(server.origin)));
    expect(
      server.requests.map(({ method, url, headers }) => [method, url, headers['x-a'], headers['content-length']]),
    ).toEqual([
      ['GET', '/v1/x?y=1', 'b', undefined],
      ['POST', '/v1/x?y=1', 'b', '0'],
    ]);
  });

  it('that cannot be sent reports that nothing was sent', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    for (const more of [{ headers: ['a b', 'c'] }, { headers: ['a', 'b\r\nc: d'] }, { path: '/ x' }])
      await expect(http.openUpstream(call(server.origin, more))).rejects.toMatchObject({
        failure: 'connect',
        sent: 'no',
      });
    expect(server.requests).toHaveLength(0);
  });

  it('over an untrusted connection reports that nothing was sent', async () => {
    await using raw = await startRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const opening = http.openUpstream(call(`https://127.0.0.1:${raw.port}`));
    await expect(opening).rejects.toMatchObject({ failure: 'connect', sent: 'no' });
  });

  it('does not retain the raw headers while the body is open', async () => {
    await using server = await startServer((_request, response) => void response.write('first'));
    const agent = new Agent();
    let controller: Dispatcher.DispatchController | undefined;
    const observed = agent.compose((dispatch) => (options, handler) => {
      return dispatch(options, {
        onRequestStart: (...all) => handler.onRequestStart?.(...all),
        onResponseStart: (started, ...all) => {
          controller = started;
          expect(started.rawHeaders).toContainEqual(Buffer.from('chunked'));
          handler.onResponseStart?.(started, ...all);
        },
        onResponseData: (...all) => handler.onResponseData?.(...all),
        onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
        onResponseError: (...all) => handler.onResponseError?.(...all),
      });
    });
    await createOpenUpstream(observed, openingSockets(1_000))(call(server.origin));
    expect(controller?.rawHeaders).toBeNull();
    await agent.destroy();
  });

  it('removes its signal listener once the response was read', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    const stop = new AbortController();
    const reply = await http.openUpstream(call(server.origin, { signal: stop.signal }));
    const read = reading();
    reply.body.feed(read);
    await until(() => read.ended() !== undefined);
    stop.abort();
    expect([read.text(), read.ended()]).toEqual(['{}', 'end']);
  });
});

describe('response', () => {
  it('starts with its final status, not an informational one', async () => {
    await using raw = await startRaw((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
      socket.write('HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok');
    });
    const reply = await http.openUpstream(call(`http://127.0.0.1:${raw.port}`));
    expect([reply.status, await textOf(reply)]).toEqual([201, 'ok']);
  });

  it('that is compressed despite the request is refused', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('\x1F\x8B'),
    );
    await expect(http.openUpstream(call(server.origin))).rejects.toMatchObject({ failure: 'reset', sent: 'maybe' });
  });

  it('that is not HTTP is refused', async () => {
    await using raw = await startRaw((socket) => socket.end('garbage\r\n\r\n'));
    const opening = http.openUpstream(call(`http://127.0.0.1:${raw.port}`));
    await expect(opening).rejects.toMatchObject({ failure: 'reset', sent: 'maybe' });
  });

  it('shorter than declared is broken', async () => {
    await using raw = await startRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok'));
    const { body } = await http.openUpstream(call(`http://127.0.0.1:${raw.port}`));
    await expect(body.collect(100)).rejects.toMatchObject({ failure: 'reset', sent: 'maybe' });
  });

  it('that was sent completely is read completely, even after the server closed and with a slow reader', async () => {
    const size = 300_000;
    await using raw = await startRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\nconnection: close\r\n\r\n`);
      socket.end(Buffer.alloc(size));
    });
    const { body } = await http.openUpstream(call(`http://127.0.0.1:${raw.port}`));
    const read = reading(() => false);
    body.feed(read);
    while (read.ended() === undefined) {
      await turn();
      body.resume();
    }
    expect([read.bytes(), read.ended()]).toEqual([size, 'end']);
  });

  it('is not idle while its reader is paused', async () => {
    await using server = await startServer((_request, response) => {
      response.write(Buffer.alloc(100_000));
      setTimeout(() => response.end('b'), 900);
    });
    const { body } = await http.openUpstream(call(server.origin, { idleMs: 300 }));
    const read = reading(() => false);
    body.feed(read);
    await sleep(1200);
    expect(read.ended()).toBeUndefined();
    while (read.ended() === undefined) {
      await turn();
      body.resume();
    }
    expect([read.bytes(), read.ended()]).toEqual([100_001, 'end']);
  });
});

it('reports an aborted call to the reader, whatever has arrived', async () => {
  await using server = await startServer((_request, response) => response.end('abc'));
  const stop = new AbortController();
  const { body } = await http.openUpstream(call(server.origin, { signal: stop.signal }));
  const read = reading(() => false);
  body.feed(read);
  // All bytes have arrived; the reader is still paused.
  await until(() => read.bytes() > 0);
  await sleep(50);
  expect(read.ended()).toBeUndefined();
  stop.abort();
  expect(read.ended()).toMatchObject({ failure: 'aborted' });
});

it('fails calls in flight when closed', async () => {
  await using server = await startServer((_request, response) => response.write('a'));
  const { body } = await http.openUpstream(call(server.origin));
  const collected = body.collect(100);
  collected.catch(() => undefined);
  await http.close();
  await expect(collected).rejects.toMatchObject({ failure: 'reset' });
});
