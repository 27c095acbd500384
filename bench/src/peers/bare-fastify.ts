import Fastify from 'fastify';
import { Agent, request as send } from 'undici';
import { announceReady } from '../subjects/requests.ts';

/** A minimal gateway on Fastify: reads the body as bytes, forwards it with `undici.request`, and pipes the response. */
const target = process.env.BENCH_TARGET ?? '';
const agent = new Agent({ pipelining: 1 });
const app = Fastify({ logger: false, bodyLimit: 64 * 1024 * 1024 });

app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/*', async (request, reply) => {
  const { host: _host, connection: _connection, ...headers } = request.headers;
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  const response = await send(target + request.url, { dispatcher: agent, method: 'POST', headers, body });
  void reply.code(response.statusCode).headers(response.headers);
  return reply.send(response.body);
});

announceReady(await app.listen({ host: '127.0.0.1', port: 0 }));
