import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { rawHttp } from '../../test/raw-http.ts';
import { type RealtimeRig, realtimeRig } from '../../test/realtime-rig.ts';
import { isHandshake, routeUpgrades } from './pending-upgrade.ts';

let rig: RealtimeRig;
beforeAll(async () => {
  rig = await realtimeRig();
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.vendor.hold = undefined;
  rig.vendor.handshakes.length = 0;
});

/** A handshake as raw HTTP. */
function handshake(key: string = KEYS.alice, path = '/v1/realtime?model=voice'): string {
  const lines = ['host: x', 'connection: Upgrade', 'upgrade: websocket', `authorization: Bearer ${key}`];
  const own = ['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version: 13'];
  return [`GET ${path} HTTP/1.1`, ...lines, ...own, '', ''].join('\r\n');
}

/** A client that sends chunks and never closes its side of the connection. */
function openRawClient(port: number, ...chunks: (string | Buffer)[]): { socket: Socket; text: () => string } {
  let text = '';
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  for (const chunk of chunks) socket.write(chunk);
  return { socket, text: () => text };
}

/** Returns the number of open connections to the server. */
function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    rig.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** Waits until all connections are closed. */
async function expectNoConnections(): Promise<void> {
  rig.app.server.closeIdleConnections();
  await expect.poll(openConnections).toBe(0);
  await expect.poll(() => rig.metrics.render()).toMatch(/^sluice_http_requests_in_flight 0$/m);
}

async function expectServing(): Promise<void> {
  const client = await rig.connect();
  const closed = once(client.socket, 'close');
  client.socket.close();
  await closed;
}

describe('a handshake', () => {
  it.each([
    ['a request without a response yet', 'GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n', handshake()],
    ['itself', handshake(), handshake()],
  ])('closes the connection after a handshake with %s in the same packet', async (_, first, second) => {
    await rawHttp(rig.port, [first + second]);
    await expectServing();
    await expectNoConnections();
  });

  it('leaves nothing behind when the client resets the connection during the response', async () => {
    for (let times = 0; times < 20; times++) {
      const { socket } = openRawClient(rig.port, handshake('sk-wrong'));
      await once(socket, 'connect');
      socket.resetAndDestroy();
    }
    await expectServing();
    await expectNoConnections();
  });

  it.each([
    ['nothing more', 0],
    ['more than the early-data limit', 400_000],
  ])('closes a rejected connection even if the client never ends it and sends %s', async (_, bytes) => {
    const clients = Array.from({ length: 10 }, () =>
      openRawClient(rig.port, handshake('sk-wrong'), Buffer.alloc(bytes)),
    );
    await expect.poll(() => clients.filter(({ text }) => text().includes('401')).length).toBe(10);
    await expectNoConnections();
    for (const { socket } of clients) socket.destroy();
  });

  it('rejects a client that sends more than the early-data limit before the session is open', async () => {
    rig.vendor.hold = new Promise(() => undefined);
    const { socket, text } = openRawClient(rig.port, handshake());
    await expect.poll(() => rig.vendor.handshakes).toHaveLength(1);
    const vendorSocket = rig.vendor.handshakes[0]?.socket;
    socket.write(Buffer.alloc(2 * 1024 * 1024));
    await expect.poll(text).toContain('HTTP/1.1 400');
    expect(text()).toContain('"code":"invalid_request"');
    await expect.poll(() => vendorSocket?.destroyed).toBe(true);
    await expectNoConnections();
    socket.destroy();
  });

  it("does not delay the server's close past the grace period while a handshake is pending", async () => {
    const app = Fastify({ http: { shouldUpgradeCallback: isHandshake } });
    let requests = 0;
    app.get('/v1/realtime', () => {
      requests += 1;
      return new Promise(() => undefined);
    });
    routeUpgrades(app, 200);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    const { socket } = openRawClient(port, handshake());
    await expect.poll(() => requests).toBe(1);
    await app.close();
    socket.destroy();
  });

  it.each([
    ['GET', '/v1/realtime', 'websocket', true],
    ['GET', '/v1/realtime?model=voice', 'WebSocket', true],
    ['GET', '/v1/realtime?model=voice', 'websocket, h2c', false],
    ['GET', '/v1/realtime?model=voice', 'h2c', false],
    ['POST', '/v1/realtime', 'websocket', false],
    ['HEAD', '/v1/realtime', 'websocket', false],
    ['GET', '/v1/realtime/', 'websocket', false],
    ['GET', '/v1/videos/video_1/content', 'websocket', false],
  ])('is detected by method, path, and protocol: %s %s, %s', (method, url, upgrade, expected) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
    request.headers.upgrade = upgrade;
    expect(isHandshake(request)).toBe(expected);
  });
});
