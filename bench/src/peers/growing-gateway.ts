import { hash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createLimiter } from '@sluice/limits';
import { chatCompletionsProtocol, createExchange, createTokenCodec, readTextRequest } from '@sluice/protocols';
import { createLogger, createMetrics, LogLine } from '@sluice/telemetry';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { type Dispatcher, Pool } from 'undici';
import { announceReady } from '../subjects/requests.ts';
import { GATEWAY_PARTS, type GatewayPart } from '../subjects/gateway-parts.ts';

/**
 * A gateway for one kind of request with the first parts of the list, for the least that each part can cost. It calls
 * the same libraries and the same packages as Sluice, without any other code between them: one route, one model, one
 * upstream, no fallback, no errors.
 */
const { BENCH_TARGET = '', BENCH_PARTS = '', BENCH_KEY = '', REDIS_URL = '' } = process.env;
const has = (part: GatewayPart): boolean => GATEWAY_PARTS.indexOf(part) < Number(BENCH_PARTS);

const PATH = '/buffered/v1/chat/completions';
const MODEL = 'buffered-chat';
const target = {
  upstream: MODEL,
  account: 'a',
  protocol: 'chat-completions',
  model: 'vendor-model',
  quirks: {},
} as const;
const pool = new Pool(BENCH_TARGET, { pipelining: 1 });
const headers = ['content-type', 'application/json', 'authorization', 'Bearer sk-vendor'];
const fixed = has('upstream call') ? Buffer.alloc(0) : await call(Buffer.from('{}'));
const keys = new Map([[hash('sha256', BENCH_KEY, 'base64'), 'bench']]);
const response = { createdAt: 0, newId: () => randomUUID(), tokenCodec: createTokenCodec('secret') };
const logger = createLogger({ level: 'info', name: 'api', secrets: [BENCH_KEY, 'sk-vendor'] });
const metrics = createMetrics();
const redis = new Redis(REDIS_URL, { lazyConnect: !has('usage ledger') });
const limiter = createLimiter(redis, { prefix: 'floor', maxLedgerEntries: 1_000 });
let entries: string[] = [];

/** Sends a request and reads the response from undici's events. */
function call(body: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pool.dispatch({ path: PATH, method: 'POST', headers, body } satisfies Dispatcher.DispatchOptions, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

interface Reply {
  id: string | undefined;
  body: string | Uint8Array;
  /** Runs after the response. */
  end: (ms: number) => void;
}

async function serve(bytes: Buffer, authorization: string | undefined): Promise<Reply> {
  const key = has('authentication')
    ? keys.get(hash('sha256', authorization?.slice('Bearer '.length) ?? '', 'base64'))
    : '';
  const id = has('authentication') ? `req_${randomUUID().replaceAll('-', '')}` : undefined;
  if (!has('checks, edits, and usage')) {
    return { id, body: has('upstream call') ? await call(bytes) : fixed, end: () => undefined };
  }
  const request = readTextRequest(chatCompletionsProtocol, bytes);
  const exchange = createExchange({
    request,
    upstream: chatCompletionsProtocol,
    target,
    generation: () => ({ protocol: 'chat-completions', model: MODEL, stream: false, messages: [], tools: [] }),
    decodeLosses: [],
    response,
    keepsGeneration: false,
    scrub: (text) => text,
  });
  const limited = {
    id: `fare_${id}`,
    owner: 'bench',
    requestsPerMinute: 1e8,
    tokensPerMinute: 1e12,
    tokens: 700,
    nanos: 9e6,
  };
  const budget = { nanos: 1e15, period: 'month' } as const;
  const decision = has('limits and budget') ? await limiter.admit({ ...limited, budget }) : undefined;
  const read = exchange.readBuffered(await call(exchange.body as Uint8Array)); // The cast is safe for a small body.
  const { inputTokens = 0, outputTokens = 0 } = read.usage ?? {};
  const end = (ms: number): void => {
    if (has('log line')) logRequest(id, ms, read.usage);
    if (has('metrics')) count(ms, inputTokens, outputTokens);
    if (!has('usage ledger')) return;
    const entry = `{"id":"led_${id}","type":"request","at":${Date.now()},"requestId":"${id}","key":"${key}","endpoint":"POST /v1/chat/completions","protocol":"chat-completions","model":"${MODEL}","upstream":"${MODEL}","upstreamModel":"vendor-model","isRelayed":true,"status":200,"durationMs":${Math.round(ms)},"firstEventMs":${Math.round(ms)},"usage":{"inputTokens":${inputTokens},"outputTokens":${outputTokens}}}`;
    if (decision) return void limiter.recordUsage(limited, decision.at, { tokens: 234, nanos: 5e5 }, entry);
    entries.push(entry);
    if (entries.length < 100) return;
    void limiter.appendEntries(entries);
    entries = [];
  };
  return { id, body: read.body, end };
}

function logRequest(id: string | undefined, ms: number, usage: object | undefined): void {
  const line = new LogLine(logger).addForeign('request_id', id).add('method', 'POST').addForeign('path', PATH);
  line.add('status', 200).add('ms', ms).add('client', 'bench').addForeign('model', MODEL);
  line.add('upstream', MODEL).addForeign('upstream_model', 'vendor-model').add('relayed', true);
  line.addNumbers('usage', usage).write('info', 'request');
}

function count(ms: number, inputTokens: number, outputTokens: number): void {
  const labels = { method: 'POST', route: PATH, status: '200' };
  metrics.httpRequests.inc(labels);
  metrics.httpDuration.observe(labels, ms / 1_000);
  const named = { model: MODEL, key: 'bench', upstream: MODEL };
  metrics.clientRequests.inc({ ...named, route: PATH, protocol: 'chat-completions', status: '200' });
  metrics.tokens.inc({ ...named, direction: 'input' }, inputTokens);
  metrics.tokens.inc({ ...named, direction: 'output' }, outputTokens);
  metrics.recordAttempt({ upstream: MODEL, model: MODEL, operation: 'text' }, 'served', ms / 1_000);
}

function readBytes(payload: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  payload.on('data', (chunk: Buffer) => chunks.push(chunk));
  payload.on('end', () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
}

async function respond(raw: ServerResponse, bytes: Buffer): Promise<void> {
  const { body } = await serve(bytes, undefined);
  raw.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  raw.end(body);
}

async function listenPlain(): Promise<string> {
  const server = createServer((request, raw) => {
    readBytes(request, (bytes) => void respond(raw, bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
}

function listenFastify(): Promise<string> {
  const app = Fastify({ logger: false });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (_request, payload, done) =>
    readBytes(payload, (body) => done(null, body)),
  );
  app.post('/*', async (request, reply) => {
    const startedAt = performance.now();
    // The cast is safe because the parser returns a buffer.
    const { id, body, end } = await serve(request.body as Buffer, request.headers.authorization);
    if (id !== undefined) void reply.header('x-request-id', id);
    reply.raw.once('close', () => end(performance.now() - startedAt));
    return reply.header('content-type', 'application/json; charset=utf-8').send(body);
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

announceReady(await (has('Fastify') ? listenFastify() : listenPlain()));
