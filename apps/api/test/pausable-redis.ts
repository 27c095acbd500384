import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to the test run's Redis that can be cut or paused. */
export interface PausableRedis {
  url: string;
  dropsReplies: boolean;
  /**
   * Pauses Redis's replies until they are resumed.
   * @param from if set, pausing starts with the command that contains this text
   */
  pause(from?: string): void;
  resume(): void;
  /** Number of paused replies. */
  pausedReplies(): number;
  cut(): Promise<void>;
}

export function startPausableRedis(redisUrl: string): Promise<PausableRedis> {
  const sockets = new Set<Socket>();
  const target = redisUrl.startsWith('unix://')
    ? { path: redisUrl.slice('unix://'.length) }
    : { host: new URL(redisUrl).hostname, port: Number(new URL(redisUrl).port) };
  let isPaused = false;
  let pauseFrom: string | undefined;
  const pausedReplies: (() => void)[] = [];
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
      if (pauseFrom !== undefined && bytes.includes(pauseFrom)) isPaused = true;
      redis.write(bytes);
    });
    redis.on('data', (bytes) => {
      if (isPaused) pausedReplies.push(() => client.write(bytes));
      else if (!proxy.dropsReplies) client.write(bytes);
    });
  });
  const proxy: PausableRedis = {
    url: '',
    dropsReplies: false,
    pause: (from) => {
      pauseFrom = from;
      isPaused = from === undefined;
    },
    resume: () => {
      isPaused = false;
      pauseFrom = undefined;
      for (const send of pausedReplies.splice(0)) send();
    },
    pausedReplies: () => pausedReplies.length,
    async cut() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
      proxy.url = `redis://127.0.0.1:${port}`;
      resolve(proxy);
    });
  });
}
