import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface RawServer {
  port: number;
  sockets: Socket[];
  received: () => number;
  closed: () => number;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startRaw(onData: (socket: Socket, data: Buffer) => void = () => undefined): Promise<RawServer> {
  const sockets: Socket[] = [];
  let received = 0;
  let closed = 0;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => (closed += 1));
    socket.on('data', (data) => {
      received += data.length;
      onData(socket, data);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The cast is safe because the server listens on TCP.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sockets,
    received: () => received,
    closed: () => closed,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
