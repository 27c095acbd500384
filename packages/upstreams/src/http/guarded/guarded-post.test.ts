import { afterEach, describe, expect, it } from 'vitest';
import { deadOrigin, readBody, startServer, until } from '../../../test/local-server.ts';
import { createGuardedPost, type GuardedPoster, type GuardedPostOptions } from './guarded-post.ts';
import type { ReceivedText } from './receive-text.ts';

const opened: GuardedPoster[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function poster(options: Partial<GuardedPostOptions> = {}) {
  const guarded = createGuardedPost({ allowOrigins: [], timeoutMs: 10_000, ...options });
  opened.push(guarded);
  const signal = new AbortController().signal;
  return (url: string, own: AbortSignal = signal) =>
    guarded.post(url, {
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
      body: '{"a":"ü"}',
      signal: own,
    });
}

describe('guarded post', () => {
  it('sends bytes and headers unchanged and returns the status', async () => {
    const bodies: string[] = [];
    await using server = await startServer(async (request, response) => {
      bodies.push((await readBody(request)).toString());
      response.writeHead(202).end('thanks');
    });
    const post = poster({ allowOrigins: [server.origin] });
    expect(await post(`${server.origin}/hook?token=x`)).toMatchObject({ status: 202 });
    expect(await post(`${server.origin}/hook`)).toMatchObject({ status: 202 });
    expect(bodies).toEqual(['{"a":"ü"}', '{"a":"ü"}']);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/hook?token=x' });
    expect(server.requests[0]?.headers).toMatchObject({ 'webhook-id': 'evt_1', 'content-length': '10' });
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0', '127.1', '10.0.0.1'])(
    'connects to no address that is not public: %s',
    async (host) => {
      await using server = await startServer((_request, response) => response.end());
      const { port } = new URL(server.origin);
      expect(await poster()(`https://${host}:${port}/x`)).toEqual({ failure: 'forbidden_address' });
      expect(server.connections()).toBe(0);
    },
  );

  it('resolves a name for each connection, and connects only to the address it checked', async () => {
    await using server = await startServer((_request, response) => response.end());
    const { port } = new URL(server.origin);
    let lookups = 0;
    const post = poster({
      timeoutMs: 2_000,
      resolve: (_hostname, done) => {
        lookups += 1;
        // The first lookup returns a public address, and later ones an internal one. Each connection makes one lookup.
        done(null, [{ address: lookups === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]);
      },
    });
    // 192.0.2.0/24 is reserved for documentation, so the first address is rejected without a second lookup.
    expect(await post(`https://rebinding.example:${port}/`)).toEqual({ failure: 'forbidden_address' });
    expect(lookups).toBe(1);
    expect(await post(`https://rebinding.example:${port}/`)).toEqual({ failure: 'forbidden_address' });
    expect(lookups).toBe(2);
    expect(server.connections()).toBe(0);
  });

  it('follows no redirect', async () => {
    await using internal = await startServer((_request, response) => response.end('secret'));
    await using server = await startServer((_request, response) =>
      response.writeHead(307, { location: `${internal.origin}/` }).end(),
    );
    const post = poster({ allowOrigins: [server.origin, internal.origin] });
    expect(await post(server.origin)).toMatchObject({ status: 307 });
    expect(internal.connections()).toBe(0);
  });

  it.each(['http://hooks.example/x', 'ftp://a.example/', 'nonsense', 'https://u:p@a.example/', 'https://u@a.example/'])(
    'refuses a URL that is not plain HTTPS: %s',
    async (url) => expect(await poster()(url)).toEqual({ failure: 'invalid_url' }),
  );

  it('accepts an allowed origin with its exact port and scheme only', async () => {
    await using server = await startServer((_request, response) => response.end());
    await using other = await startServer((_request, response) => response.end());
    const post = poster({ allowOrigins: [server.origin] });
    expect(await post(`${server.origin}/`)).toMatchObject({ status: 200 });
    expect(await post(`${other.origin}/`)).toEqual({ failure: 'invalid_url' });
    expect(await post(`https://127.0.0.1:${new URL(other.origin).port}/`)).toEqual({ failure: 'forbidden_address' });
  });

  it('stops reading an endless response', async () => {
    let sent = 0;
    let closed = false;
    await using server = await startServer((_request, response) => {
      response.on('close', () => (closed = true));
      const more = (): void => {
        while (!response.destroyed && sent < 1e9) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
      };
      response.writeHead(200);
      more();
    });
    expect(await poster({ allowOrigins: [server.origin] })(server.origin)).toMatchObject({ status: 200 });
    await until(() => closed);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('times out a silent server, and keeps the status of one that stalls later', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/late') response.writeHead(200).write('first');
    });
    const post = poster({ allowOrigins: [server.origin], timeoutMs: 200 });
    expect(await post(`${server.origin}/never`)).toEqual({ failure: 'timeout' });
    expect(await post(`${server.origin}/late`)).toMatchObject({ status: 200 });
  });

  it('reports an unreachable server and an aborted call', async () => {
    const origin = await deadOrigin();
    expect(await poster({ allowOrigins: [origin] })(origin)).toEqual({ failure: 'network' });
    expect(await poster({ allowOrigins: [origin] })(origin, AbortSignal.abort())).toEqual({ failure: 'aborted' });
  });

  it('returns headers and the text of the response without credentials', async () => {
    await using server = await startServer((_request, response) =>
      response
        .writeHead(302, {
          'content-type': 'application/problem+json',
          location: 'https://user:word@b.test/next?token=x',
          'set-cookie': 'session=1',
          'x-request-id': 'r1',
        })
        .end(
          '{"error":"bad signature v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= of whsec_C2FVsBQIhrscChlQIMV+b5s="}',
        ),
    );
    const { origin } = server;
    const { response } = (await poster({ allowOrigins: [origin] })(origin)) as { response: ReceivedText };
    expect(response.body).toBe('{"error":"bad signature [removed] of [removed]"}');
    expect(response.headers).toMatchObject({ location: 'https://b.test/next', 'x-request-id': 'r1' });
    expect(Object.keys(response.headers).toSorted()).toEqual(['content-type', 'date', 'location', 'x-request-id']);
    expect(response).not.toHaveProperty('isTruncated');
  });

  it.each([
    ['a long text', 'text/plain', 'é'.repeat(5_000), { body: 'é'.repeat(4_096), isTruncated: true }],
    ['a text that ends in the middle of a character', 'text/plain', `x${'😀'.repeat(4_096)}`, { isTruncated: true }],
    ['an empty body', 'text/plain', '', {}],
    ['an image', 'image/png', 'PNG', {}],
    ['bytes that are not UTF-8', 'text/plain', Buffer.from([0x61, 0xff]), {}],
    ['a control character', 'text/html', 'a\0', {}],
  ])('stores the beginning of text only: %s', async (_name, type, body, expected) => {
    await using server = await startServer((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    const { origin } = server;
    const { response } = (await poster({ allowOrigins: [origin] })(origin)) as { response: ReceivedText };
    expect(response).toMatchObject(expected);
    expect('body' in response).toBe('isTruncated' in expected);
    expect(response.body ?? '').not.toMatch(/\uFFFD/);
  });

  it('returns the delay that the server requests', async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(503, { 'retry-after': '7' }).end(),
    );
    const post = poster({ allowOrigins: [server.origin] });
    expect(await post(server.origin)).toMatchObject({ status: 503, retryAfterMs: 7_000 });
  });
});
