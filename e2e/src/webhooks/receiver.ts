import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivered {
  path: string;
  headers: Record<string, string>;
  /** The exact body, because the signature covers it. */
  body: string;
}

/** A client's webhook server on the loopback interface. */
export interface Receiver {
  origin: string;
  deliveries: Delivered[];
  /** Responds to a delivery. The default responds with 204. */
  response: (response: ServerResponse, delivery: Delivered) => void;
  /** Returns the requests that were received at a path. */
  at(path: string): Delivered[];
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivered[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const one = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() };
      deliveries.push(one);
      receiver.response(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${port}`,
    deliveries,
    response: (response) => void response.writeHead(204).end(),
    at: (path) => deliveries.filter((one) => one.path === path),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
