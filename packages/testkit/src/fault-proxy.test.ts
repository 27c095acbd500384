import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultProxy, type ConnectionObserver, startFaultProxy } from './fault-proxy.ts';
import { openRedis, testRedis } from './redis/redis-test.ts';
import { startRedisProxy } from './redis-proxy.ts';

let echo: Server;
let proxy: FaultProxy;
beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
});
afterEach(async () => {
  await proxy.close();
  echo.close();
});

async function start(watch?: () => ConnectionObserver): Promise<Socket> {
  const address = echo.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  proxy = await startFaultProxy({ port: address.port }, watch);
  // A proxy that closes can reset the connection.
  return connect(proxy.port, '127.0.0.1')
    .setEncoding('utf8')
    .on('error', () => undefined);
}

/** Resolves with the received text when it has at least `length` characters. */
async function recorded(socket: Socket, length: number): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    text += chunk;
    if (text.length >= length) return text;
  }
  return text;
}

describe('startFaultProxy', () => {
  it('forwards all data and the end in both directions without a fault', async () => {
    const socket = await start();
    socket.end('all of it');
    expect(await recorded(socket, 100)).toBe('all of it');
  });

  it('delivers responses byte by byte', async () => {
    const socket = await start();
    proxy.set({ kind: 'drip', ms: 20 });
    const chunks: string[] = [];
    socket.on('data', (chunk: string) => chunks.push(chunk));
    socket.write('slow');
    await expect.poll(() => chunks.join('')).toBe('slow');
    expect(chunks.length).toBeGreaterThan(1);
  });

  it('drops data permanently in a black hole', async () => {
    const socket = await start();
    proxy.set({ kind: 'black-hole' });
    socket.write('gone');
    const early = await Promise.race([
      recorded(socket, 1),
      new Promise((resolve) => setTimeout(resolve, 200, 'nothing')),
    ]);
    expect(early).toBe('nothing');
    const ended = once(socket, 'error');
    proxy.set({ kind: 'none' });
    await ended;
  });

  it('closes while data is in a black hole', async () => {
    const socket = await start();
    socket.on('error', () => undefined);
    proxy.set({ kind: 'black-hole' });
    socket.write('gone');
    await expect(proxy.close()).resolves.toBeUndefined();
    await once(await start(), 'connect'); // Opens another connection, which is closed at the end of the test.
  });

  it('resets connections, including open ones', async () => {
    const socket = await start();
    proxy.set({ kind: 'reset' });
    socket.write('x');
    // The cast is safe because an `error` event carries an error.
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('holds data from the byte that an observer chooses, until it is released', async () => {
    const socket = await start(() => ({ toClient: () => 3 }));
    socket.write('abcdef');
    expect(await recorded(socket, 3)).toBe('abc');
    proxy.release();
    expect(await recorded(socket, 3)).toBe('def');
  });
});

describe('startRedisProxy', () => {
  it('drops the response of an applied command, which the client then sends again', async () => {
    const { redisUrl, prefix } = testRedis();
    const before = await startRedisProxy(redisUrl);
    proxy = before;
    // Dropping the response resets the connection, which makes the client emit an error event.
    const redis = openRedis(before.url).on('error', () => undefined);
    await redis.set(`${prefix}:n`, 40);
    const lost = before.dropResponse(([command]) => command === 'incr');
    expect(await redis.incr(`${prefix}:n`)).toBe(42);
    await lost;
    redis.disconnect();
  });
});
