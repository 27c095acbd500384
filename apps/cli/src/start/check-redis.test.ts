import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { checkRedis } from './check-redis.ts';

/** A server with a scripted INFO reply, for states that the private Redis never has. */
async function startServer(info: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      // Sends one reply for each command in the pipeline.
      for (const _ of String(chunk).matchAll(/\*\d+\r\n/g)) socket.write(`$${info.length}\r\n${info}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `redis://127.0.0.1:${port}`, close: () => server.close() };
}

describe('checkRedis', () => {
  it('accepts a Redis that never evicts, and reports its version', async () => {
    const { version } = await checkRedis({ url: process.env.SLUICE_TEST_REDIS ?? '' }, 5_000);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each([
    ['too old', 'redis_version:6.0.16\r\nmaxmemory_policy:noeviction\r\n', 'is version 6.0.16. Use 6.2 or newer.'],
    [
      'evicting',
      'redis_version:7.2.0\r\nmaxmemory_policy:allkeys-lru\r\n',
      'has maxmemory-policy `allkeys-lru`, which can evict open tasks. Set it to `noeviction`.',
    ],
  ])('rejects a Redis that is %s', async (_, info, words) => {
    const server = await startServer(info);
    await expect(checkRedis({ url: server.url }, 5_000)).rejects.toThrow(words);
    server.close();
  });

  it('rejects a Redis that does not respond, and hides its password', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const error = await checkRedis({ url: `redis://:se@cret@127.0.0.1:${port}` }, 200).catch(
      (reason: unknown) => reason,
    );
    expect(error).toHaveProperty('name', 'RedisCheckError');
    expect(String(error)).not.toMatch(/cret/);
    expect(String(error)).toContain(`redis://127.0.0.1:${port}`);
    server.close();
  });
});
