import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  origin: string;
  requests: IncomingMessage[];
  connections: () => number;
  [Symbol.asyncDispose](): Promise<void>;
}

export type Responder = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function startServer(respond: Responder): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  server.on('connection', () => (connections += 1));
  // Tests break connections intentionally, so client errors are expected.
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // The cast is safe because the server listens on TCP.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns an origin at which no server listens. Its port was free a moment ago. */
export async function deadOrigin(): Promise<string> {
  const server = await startServer(() => undefined);
  await server[Symbol.asyncDispose]();
  return server.origin;
}

/** Waits for a condition, for up to 30 seconds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (holds()) return;
    await new Promise((wake) => setTimeout(wake, 10));
  }
  throw new Error('the condition did not become true in time');
}
