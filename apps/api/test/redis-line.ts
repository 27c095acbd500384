import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to the run's Redis that can be cut or stalled. */
export interface RedisLine {
  url: string;
  silent: boolean;
  /** Delays Redis' responses until they are released. @param from starts at the command that contains this text */
  hold(from?: string): void;
  release(): void;
  /** Number of delayed responses. */
  held(): number;
  cut(): Promise<void>;
}

export function startRedisLine(redisUrl: string): Promise<RedisLine> {
  const sockets = new Set<Socket>();
  const target = redisUrl.startsWith('unix://')
    ? { path: redisUrl.slice('unix://'.length) }
    : { host: new URL(redisUrl).hostname, port: Number(new URL(redisUrl).port) };
  let isHolding = false;
  let holdsFrom: string | undefined;
  const held: (() => void)[] = [];
  const server: Server = createServer((client) => {
    const redis = connect(target);
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        client.destroy();
        redis.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (holdsFrom !== undefined && bytes.includes(holdsFrom)) isHolding = true;
      redis.write(bytes);
    });
    redis.on('data', (bytes) => {
      if (isHolding) held.push(() => client.write(bytes));
      else if (!line.silent) client.write(bytes);
    });
  });
  const line: RedisLine = {
    url: '',
    silent: false,
    hold: (from) => {
      holdsFrom = from;
      isHolding = from === undefined;
    },
    release: () => {
      isHolding = false;
      holdsFrom = undefined;
      for (const send of held.splice(0)) send();
    },
    held: () => held.length,
    async cut() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // it listens on TCP
      line.url = `redis://127.0.0.1:${port}`;
      resolve(line);
    });
  });
}
