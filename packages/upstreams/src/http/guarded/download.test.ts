import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { deadOrigin, startServer, until } from '../../../test/local-server.ts';
import { createDownload, type Downloader, type DownloadOptions } from './download.ts';
import { DownloadError } from './download-error.ts';

const opened: Downloader[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function downloader(options: Partial<DownloadOptions> = {}): Downloader {
  const created = createDownload({ allowOrigins: [], maxBytes: 1_000_000, idleMs: 10_000, ...options });
  opened.push(created);
  return created;
}

const signal = new AbortController().signal;

async function failureOf(promise: Promise<unknown>): Promise<DownloadError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DownloadError) return error;
  throw new Error('expected a DownloadError', { cause: error });
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('createDownload › addresses', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0', '127.1'])(
    'refuses %s without a connection',
    async (host) => {
      await using server = await startServer((_request, response) => response.end('secret'));
      const { port } = new URL(server.origin);
      const error = await failureOf(downloader().download(`http://${host}:${port}/x`, { signal }));
      expect(error.failure).toBe('forbidden_address');
      expect(server.connections()).toBe(0);
    },
  );

  it('checks the address of a name on each connection', async () => {
    await using server = await startServer((_request, response) => response.end('secret'));
    const { port } = new URL(server.origin);
    let lookups = 0;
    const { download } = downloader({
      resolve: (_hostname, done) => {
        lookups += 1;
        done(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    for (let time = 1; time <= 2; time += 1) {
      const error = await failureOf(download(`http://public.example:${port}/`, { signal }));
      expect(error.failure).toBe('forbidden_address');
      expect(lookups).toBe(time);
    }
    expect(server.connections()).toBe(0);
  });

  it('exempts allowed origins, for their exact scheme and port only', async () => {
    await using server = await startServer((_request, response) => response.end('fine'));
    await using other = await startServer((_request, response) => response.end('secret'));
    const { download } = downloader({ allowOrigins: [`${server.origin}/v1`] });
    expect(await read((await download(`${server.origin}/x`, { signal })).body)).toBe('fine');
    expect((await failureOf(download(`${other.origin}/x`, { signal }))).failure).toBe('forbidden_address');
  });
});

describe('createDownload › URLs', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://a.example/x',
    'data:image/png;base64,AA',
    'nonsense',
    '//a.example/x',
    'http://u:p@a.example/',
  ])('refuses %s, which is not plain HTTP or HTTPS', async (url) => {
    expect((await failureOf(downloader().download(url, { signal }))).failure).toBe('invalid_url');
  });

  it('keeps URLs out of messages', async () => {
    const url = 'http://127.0.0.1:1/secret-path?signature=abc';
    const error = await failureOf(downloader().download(url, { signal }));
    expect(error.message).not.toMatch(/127|secret|signature/);
    expect(JSON.stringify(error)).not.toMatch(/127|secret-path|signature/);
  });
});

describe('createDownload › redirects', () => {
  it('follows them, relative ones too', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/a/b') response.writeHead(302, { location: '../c' }).end();
      else response.end(request.url);
    });
    const { download } = downloader({ allowOrigins: [server.origin] });
    expect(await read((await download(`${server.origin}/a/b`, { signal })).body)).toBe('/c');
  });

  it('refuses one to an address that is not public', async () => {
    await using internal = await startServer((_request, response) => response.end('secret'));
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: `${internal.origin}/` }).end(),
    );
    const { download } = downloader({ allowOrigins: [server.origin] });
    expect((await failureOf(download(server.origin, { signal }))).failure).toBe('forbidden_address');
    expect(internal.connections()).toBe(0);
  });

  it('refuses one to another scheme', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );
    const { download } = downloader({ allowOrigins: [server.origin] });
    expect((await failureOf(download(server.origin, { signal }))).failure).toBe('invalid_url');
  });

  it('stops after five', async () => {
    await using server = await startServer((request, response) => {
      const remaining = Number(request.url?.slice(1));
      if (remaining === 0) response.end('there');
      else response.writeHead(307, { location: `/${remaining - 1}` }).end();
    });
    const { download } = downloader({ allowOrigins: [server.origin] });
    expect(await read((await download(`${server.origin}/5`, { signal })).body)).toBe('there');
    expect((await failureOf(download(`${server.origin}/6`, { signal }))).failure).toBe('too_many_redirects');
  });
});

describe('createDownload › credentials', () => {
  const headers = { authorization: 'Bearer k', accept: 'video/mp4' };

  it('stay with their origin, even when a redirect leads back', async () => {
    await using home = await startServer((request, response) => {
      if (request.url === '/start') response.writeHead(302, { location: `${away.origin}/` }).end();
      else response.end('back');
    });
    await using away = await startServer((_request, response) =>
      response.writeHead(302, { location: `${home.origin}/back` }).end(),
    );
    const { download } = downloader({ allowOrigins: [home.origin, away.origin] });
    await read((await download(`${home.origin}/start`, { headers, signal })).body);
    const seen = [home.requests[0], away.requests[0], home.requests[1]].map((one) => one?.headers.authorization);
    expect(seen).toEqual(['Bearer k', undefined, undefined]);
    expect(away.requests[0]?.headers.accept).toBe('video/mp4');
  });

  it('stay with their origin under any header name', async () => {
    await using home = await startServer((request, response) => {
      if (request.url === '/start') response.writeHead(302, { location: '/next' }).end();
      else response.writeHead(302, { location: `${away.origin}/` }).end();
    });
    await using away = await startServer((_request, response) => response.end('there'));
    const { download } = downloader({ allowOrigins: [home.origin, away.origin] });
    const credentials = { 'x-tenant-secret': 's' };
    await read((await download(`${home.origin}/start`, { headers, credentials, signal })).body);
    const seen = [home.requests[0], home.requests[1], away.requests[0]].map((one) => one?.headers['x-tenant-secret']);
    expect(seen).toEqual(['s', 's', undefined]);
    const elsewhere = { credentials, signal, credentialsOrigin: 'https://vendor.example' };
    await read((await download(away.origin, elsewhere)).body);
    expect(away.requests[1]?.headers).not.toHaveProperty('x-tenant-secret');
  });

  it('are not sent to a first URL outside their origin', async () => {
    await using server = await startServer((_request, response) => response.end());
    const { download } = downloader({ allowOrigins: [server.origin] });
    await read((await download(server.origin, { headers, signal, credentialsOrigin: 'https://vendor.example' })).body);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('createDownload › body', () => {
  it('arrives with status, length, and bytes', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(404, { 'content-length': '4' }).end('gone'),
    );
    const reply = await downloader({ allowOrigins: [server.origin] }).download(server.origin, { signal });
    expect([reply.status, reply.bytes, await read(reply.body)]).toEqual([404, 4, 'gone']);
  });

  it('is not read when the declared length exceeds the limit', async () => {
    await using server = await startServer((_request, response) => response.end('x'.repeat(100)));
    const { download } = downloader({ allowOrigins: [server.origin], maxBytes: 99 });
    expect((await failureOf(download(server.origin, { signal }))).failure).toBe('too_large');
  });

  it('stops at the limit when no length is declared', async () => {
    await using server = await startServer((_request, response) => {
      response.write('x'.repeat(60));
      setTimeout(() => response.end('x'.repeat(60)), 20);
    });
    const { body } = await downloader({ allowOrigins: [server.origin], maxBytes: 99 }).download(server.origin, {
      signal,
    });
    await expect(read(body)).rejects.toMatchObject({ name: 'ContentTooLargeError', maxBytes: 99 });
  });

  it('fails when truncated', async () => {
    await using server = await startServer((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => request.socket.destroy(), 20);
    });
    const { body } = await downloader({ allowOrigins: [server.origin] }).download(server.origin, { signal });
    expect((await failureOf(read(body))).failure).toBe('network');
  });

  it('fails when the server stalls, before and after the first byte', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/late') response.writeHead(200).write('first');
    });
    const { download } = downloader({ allowOrigins: [server.origin], idleMs: 100 });
    expect((await failureOf(download(`${server.origin}/never`, { signal }))).failure).toBe('idle');
    const { body } = await download(`${server.origin}/late`, { signal });
    expect((await failureOf(read(body))).failure).toBe('idle');
  });

  it('may be read slowly: time spent waiting for the reader is not idle time', async () => {
    await using server = await startServer((_request, response) => response.end(Buffer.alloc(500_000, 'x')));
    const { download } = downloader({ allowOrigins: [server.origin], idleMs: 500 });
    const { body } = await download(server.origin, { signal });
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (bytes === 0) await sleep(800);
      bytes += chunk.byteLength;
    }
    expect(bytes).toBe(500_000);
  });

  it('ends with the signal and closes the connection even without a reader', async () => {
    let closed = false;
    await using server = await startServer((_request, response) => {
      response.on('close', () => (closed = true));
      response.write('first');
    });
    const stop = new AbortController();
    const { body } = await downloader({ allowOrigins: [server.origin] }).download(server.origin, {
      signal: stop.signal,
    });
    stop.abort();
    await until(() => closed);
    expect((await failureOf(read(body))).failure).toBe('aborted');
  });

  it('closes the connection at once when destroyed', async () => {
    let closed = false;
    await using server = await startServer((_request, response) => {
      response.on('close', () => (closed = true));
      response.write('first');
    });
    const { body } = await downloader({ allowOrigins: [server.origin] }).download(server.origin, { signal });
    body.destroy();
    await until(() => closed);
  });
});

it('reports an unreachable server as a network failure', async () => {
  const origin = await deadOrigin();
  const { download } = downloader({ allowOrigins: [origin] });
  expect((await failureOf(download(origin, { signal }))).failure).toBe('network');
});
