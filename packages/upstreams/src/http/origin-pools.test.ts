import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createUpstreamHttp, type UpstreamHttp } from './fetch-upstream.ts';

interface CountedServer {
  origin: string;
  /** Open connections of clients. */
  connections(): Promise<number>;
  /** Responses to `/slow`, which the test ends. */
  open: ServerResponse[];
  server: Server;
}

const servers: Server[] = [];
const clients: UpstreamHttp[] = [];
afterEach(async () => {
  for (const http of clients.splice(0)) await http.close();
  for (const server of servers.splice(0)) server.close();
});

/** A vendor that never closes idle connections itself. */
async function countedServer(): Promise<CountedServer> {
  const open: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('keep-alive', 'timeout=600');
    if (request.url !== '/slow') return void response.end('{}');
    response.write('{');
    open.push(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  return { origin: `http://127.0.0.1:${port}`, connections, open, server };
}

function client(): { http: UpstreamHttp; get: (url: string) => ReturnType<UpstreamHttp['fetchUpstream']> } {
  const http = createUpstreamHttp();
  clients.push(http);
  const { signal } = new AbortController();
  return { http, get: (url) => http.fetchUpstream({ method: 'GET', url, timeoutMs: 10_000, signal }) };
}

describe('the connections to upstreams', () => {
  it('close when they are idle and no upstream needs them, and others stay open', async () => {
    const [kept, removed] = [await countedServer(), await countedServer()];
    const { http, get } = client();
    await Promise.all([get(`${kept.origin}/`), get(`${removed.origin}/`)]);
    expect([await kept.connections(), await removed.connections()]).toEqual([1, 1]);
    http.keepOnly(new Set([kept.origin]));
    await expect.poll(() => removed.connections()).toBe(0);
    expect(await kept.connections()).toBe(1);
  });

  it('let a response in progress finish first', async () => {
    const removed = await countedServer();
    const { http, get } = client();
    const response = get(`${removed.origin}/slow`);
    await expect.poll(() => removed.open.length).toBe(1);
    http.keepOnly(new Set());
    await expect.poll(() => removed.connections()).toBe(1);
    removed.open[0]?.end('}');
    expect(await response).toMatchObject({ status: 200, body: {} });
    await expect.poll(() => removed.connections()).toBe(0);
  });

  it('open again for a late call, and close after it', async () => {
    const removed = await countedServer();
    const { http, get } = client();
    await get(`${removed.origin}/`);
    http.keepOnly(new Set());
    expect(await get(`${removed.origin}/`)).toMatchObject({ status: 200 });
    await expect.poll(() => removed.connections()).toBe(0);
  });

  it('end all calls when the clients close', async () => {
    const server = await countedServer();
    const { http, get } = client();
    const response = get(`${server.origin}/slow`);
    await expect.poll(() => server.open.length).toBe(1);
    await http.close();
    await expect(response).rejects.toMatchObject({ failure: 'reset' });
    await expect(get(`${server.origin}/`)).rejects.toMatchObject({ failure: 'connect' });
  });
});
