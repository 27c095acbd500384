import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawHttp } from '../../test/raw-http.ts';
import { discardBody } from './discard-body.ts';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    discardBody(request, response);
    response.end('early');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo); // The cast is safe because the server listens on TCP.
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const start = (bytes: number) => `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n`;

describe('discardBody', () => {
  it('disconnects a client that never stops sending, after its response', async () => {
    let text = '';
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(start(1e12)));
      const flood = setInterval(() => socket.write('x'.repeat(1_000)), 20);
      socket.on('data', (bytes) => (text += bytes.toString()));
      socket.on('error', () => undefined); // a connection reset is one possible outcome
      socket.on('close', () => {
        clearInterval(flood);
        resolve();
      });
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*early$/);
  });

  it('keeps the connection of a client that stops in time', async () => {
    const { text } = await rawHttp(port, [start(3), 'abc', 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n']);
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  });
});
