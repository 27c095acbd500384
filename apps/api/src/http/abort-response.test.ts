import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { abortResponse } from './abort-response.ts';

let server: ReturnType<typeof createServer>;
afterEach(() => server.close());

async function serve(reply: Parameters<typeof createServer>[1]): Promise<number> {
  server = createServer({}, reply);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port; // The cast is safe because the server listens on TCP.
}

it.each([
  ['status, headers, and first chunk', (write: (text: string) => void) => write('one')],
  ['a megabyte', (write: (text: string) => void) => write('x'.repeat(1_000_000))],
  ['only the head', () => undefined],
])('sends %s before the connection closes, without an end', async (_what, write) => {
  const port = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    write((text) => response.write(text));
    abortResponse(response);
  });
  const reply = await fetch(`http://127.0.0.1:${port}/`);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
});

it('does not wait forever for a client that does not read', async () => {
  const closed = Promise.withResolvers<void>();
  const port = await serve((_request, response) => {
    response.once('close', () => closed.resolve());
    response.writeHead(200).write(Buffer.alloc(64 * 1024 * 1024));
    abortResponse(response);
  });
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed.promise;
  client.destroy();
});
