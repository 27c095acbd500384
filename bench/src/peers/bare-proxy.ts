import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { Agent, request as send } from 'undici';
import { announceReady } from '../subjects/requests.ts';

/**
 * A minimal gateway on Node: forwards a `node:http` request with `undici.request` and pipes the response back. It has
 * no authentication, checks, or logs.
 */
const target = process.env.BENCH_TARGET ?? '';
const agent = new Agent({ pipelining: 1 });

const server = createServer((request, response) => {
  passOn(request, response).catch(() => response.writeHead(502).end());
});

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hasBody = request.method === 'POST';
  const reply = await send(`${target}${request.url}`, {
    dispatcher: agent,
    method: hasBody ? 'POST' : 'GET',
    headers: endToEnd(request.headers),
    body: hasBody ? request : null,
  });
  response.writeHead(reply.statusCode, reply.headers);
  pipeline(reply.body, response, () => undefined);
}

/** Removes hop-by-hop headers. Keeps the content length, so that bodies are not sent chunked. */
function endToEnd({ host: _host, connection: _connection, ...rest }: IncomingHttpHeaders): IncomingHttpHeaders {
  return rest;
}

server.listen(Number(process.env.BENCH_PORT ?? 0), '127.0.0.1', () => {
  const address = server.address();
  announceReady(typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '');
});
