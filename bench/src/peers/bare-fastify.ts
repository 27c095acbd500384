import Fastify, { type FastifyReply } from 'fastify';
import { Agent, type Dispatcher, request as send } from 'undici';
import { announceReady } from '../subjects/requests.ts';
import { chatBody, messagesBody } from './request-schemas.ts';
import {
  chatToMessages,
  chatToMessagesResponse,
  createChatEvents,
  createMessagesEvents,
  type EventMapper,
  messagesToChat,
  messagesToChatResponse,
} from './simple-translation.ts';

/**
 * A minimal gateway on Fastify: parses and validates a request, serializes it again, and sends it with
 * `undici.request`. Paths below `/translate` also translate between the chat and the messages protocol. It has no
 * authentication, limits, metrics, or log.
 */
const target = process.env.BENCH_TARGET ?? '';
const agent = new Agent({ pipelining: 1 });
const app = Fastify({ logger: false, bodyLimit: 64 * 1024 * 1024 });

app.post('/translate/*', async (request, reply) => {
  const path = request.url.slice('/translate'.length);
  if (path.endsWith('/v1/messages')) {
    const body = messagesBody.parse(request.body);
    const at = path.replace('/v1/messages', '/v1/chat/completions');
    const response = await post(at, messagesToChat(body));
    if (body.stream === true) return sendEvents(reply, response, createMessagesEvents());
    return reply.send(chatToMessagesResponse(await response.body.json()));
  }
  const body = chatBody.parse(request.body);
  const response = await post(path.replace('/v1/chat/completions', '/v1/messages'), chatToMessages(body));
  if (body.stream === true) return sendEvents(reply, response, createChatEvents());
  return reply.send(messagesToChatResponse(await response.body.json()));
});

app.post('/*', async (request, reply) => {
  const body = chatBody.parse(request.body);
  const response = await post(request.url, body);
  void reply.code(response.statusCode).header('content-type', response.headers['content-type']);
  return reply.send(body.stream === true ? response.body : await response.body.json());
});

async function post(path: string, body: object): Promise<Dispatcher.ResponseData> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-vendor' };
  return send(target + path, { dispatcher: agent, method: 'POST', headers, body: JSON.stringify(body) });
}

/** Translates each event of a stream. Waits while the client reads slowly. */
async function sendEvents(reply: FastifyReply, response: Dispatcher.ResponseData, map: EventMapper): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': 'text/event-stream' });
  const decoder = new TextDecoder();
  let buffered = '';
  // The cast is safe because the body is binary.
  for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
    buffered += decoder.decode(bytes, { stream: true });
    const events = buffered.split('\n\n');
    buffered = events.pop() ?? '';
    const text = events.map((event) => map(event.slice(event.indexOf('data: ') + 'data: '.length))).join('');
    if (text !== '' && !raw.write(text)) await new Promise((resolve) => raw.once('drain', resolve));
  }
  raw.end();
}

announceReady(await app.listen({ host: '127.0.0.1', port: Number(process.env.BENCH_PORT ?? 0) }));
