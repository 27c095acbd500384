import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface SocketServer {
  origin: string;
  handshakes: IncomingMessage[];
  sockets: WebSocket[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SocketServerOptions {
  onOpen?: (socket: WebSocket) => void;
  refuse?: (request: IncomingMessage, response: ServerResponse) => void;
  isSilent?: boolean;
}

export async function startSocketServer({ onOpen, refuse, isSilent }: SocketServerOptions): Promise<SocketServer> {
  const handshakes: IncomingMessage[] = [];
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    handshakes.push(request);
    refuse?.(request, response);
  });
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
  });
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 0 });
  if (!refuse) {
    server.on('upgrade', (request, connection, head) => {
      handshakes.push(request);
      if (isSilent) return;
      wss.handleUpgrade(request, connection, head, (socket) => {
        socket.on('error', () => undefined);
        sockets.push(socket);
        onOpen?.(socket);
      });
    });
  }
  const sockets: WebSocket[] = [];
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return {
    origin: `http://127.0.0.1:${port}`,
    handshakes,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const connection of connections) connection.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
