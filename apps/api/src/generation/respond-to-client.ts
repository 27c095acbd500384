import type { GatewayError, TextTarget, Usage } from '@sluice/canonical';
import { type Exchange, keepAliveOf } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import type { Charge } from '../metering/charge.ts';
import { abortReason } from '../http/abort-requests.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { lostFields, type OpenedResponse } from './request-completion.ts';
import type { TextCall, GenerationDeps } from './text-services.ts';
import type { TextContext } from './text-context.ts';

/** What became of an answer, told once it is over. */
export interface Outcome {
  usage?: Usage;
  /** Why it broke off after its first byte. */
  failed?: GatewayError;
}

/** How a streamed answer is sent. */
export interface StreamResponse {
  /** Asks the upstreams. */
  open: () => Promise<OpenedResponse>;
  /** Whether the answer is to be kept before its end goes out. */
  keeps: (opened: OpenedResponse) => boolean;
  /** Keeps it; must not throw. */
  keep: (opened: OpenedResponse) => Promise<void>;
  /** Called once, when an opened answer is over. */
  over: (opened: OpenedResponse, outcome: Outcome) => void;
}

/** Who has answered, and how. */
interface Served {
  routed: { target: Pick<TextTarget, 'upstream' | 'model'> };
  exchange: Pick<Exchange, 'isRelayed' | 'losses'>;
  headers: OpenedResponse['headers'];
}

/** Headers that say who served, and what could not be carried. */
export function servedHeaders({ routed, exchange, headers }: Served): Record<string, string> {
  const lost = shortList(lostFields(exchange.losses));
  return {
    ...(exchange.isRelayed && relayedHeaders(headers)),
    'x-sluice-upstream': routed.target.upstream,
    'x-sluice-model': asHeader(routed.target.model),
    ...(lost !== '' && { 'x-sluice-dropped': asHeader(lost) }),
  };
}

/** The upstream's time, which published SDKs show to their users. Its limits are the operator's, not the client's. */
function relayedHeaders({ 'openai-processing-ms': ms }: Readonly<Record<string, string>>): Record<string, string> {
  return ms === undefined ? {} : { 'openai-processing-ms': ms };
}

/** What a header may hold on its way through common proxies; clients choose the names. */
const MAX_LIST = 2_000;

/** Names in a row, as many as fit. */
function shortList(names: readonly string[]): string {
  let list = '';
  for (const [index, name] of names.entries()) {
    const next = list === '' ? name : `${list}, ${name}`;
    if (next.length > MAX_LIST) return `${list}${list === '' ? '' : ', '}and ${names.length - index} more`;
    list = next;
  }
  return list;
}

/** Header values hold visible ASCII alone. */
export function asHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Answers in one piece. */
export function sendBuffered(reply: FastifyReply, opened: OpenedResponse): FastifyReply {
  void reply.headers(servedHeaders(opened)).type('application/json; charset=utf-8');
  return reply.send(opened.whole?.body);
}

/**
 * Answers with a stream. As long as nothing was sent, a failure is thrown and answered with a status; then it is told inside
 * the stream. The client's pace is the upstream's: what is not read is not asked for.
 * @throws GatewayError while nothing was sent
 */
export async function sendStream(
  deps: GenerationDeps,
  call: TextCall,
  context: TextContext,
  response: StreamResponse,
): Promise<void> {
  const { protocol } = context.request;
  const isArray = context.response.framing === 'json-array';
  let opened: OpenedResponse | undefined;
  const stream = openEventStream(call.reply, {
    contentType: isArray ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
    keepAliveMs: deps.keepAliveMs,
    keepAlive: () => opened?.feed?.writer.keepAlive() ?? keepAliveOf(protocol.name, isArray),
  });
  try {
    opened = await response.open();
  } catch (error) {
    if (!stream.isBegun) {
      stream.cancel();
      throw error;
    }
    // The head went out with the first keep-alive: a stream of this request alone can tell what went wrong.
    const shown = abortReason(context.signal) ?? gatewayErrorOf(error);
    if (!context.signal.aborted) {
      deps.logger.warn(
        { err: shown.cause ?? shown, request_id: call.request.id, code: shown.code },
        'a request failed',
      );
    }
    const writer = protocol.encodeStream(await bareContext(context));
    stream.end([Buffer.from(writer.fail(shown))]);
    return;
  }
  stream.begin(servedHeaders(opened));
  await pump(stream, opened, context, response, { logger: deps.logger, charge: call.request.charge });
}

async function bareContext(context: TextContext) {
  const { protocol, model, stream } = context.request;
  const bare = { protocol: protocol.name, model, stream, messages: [], tools: [] };
  return { ...context.response, request: bare, body: context.request.body() };
}

/** Moves an opened answer to the client, to its end. */
function pump(
  stream: EventStream,
  opened: OpenedResponse,
  context: TextContext,
  response: StreamResponse,
  { logger, charge }: Pick<GenerationDeps, 'logger'> & { charge: Charge | undefined },
): Promise<void> {
  const { feed } = opened;
  if (!feed) throw new Error('a streamed answer has a feed');
  const { progress } = feed.writer;
  const isKept = response.keeps(opened);
  const { promise, resolve } = Promise.withResolvers<void>();
  /** The end of the answer, until it is kept: whoever reads it may ask for what it names. */
  const held: Buffer[] = [];

  const finish = (failed?: GatewayError): void => {
    if (failed) charge?.interrupted(progress.isReported);
    response.over(opened, { ...(progress.usage && { usage: progress.usage }), ...(failed && { failed }) });
    resolve();
  };
  const endKept = async (): Promise<void> => {
    try {
      if (isKept) await response.keep(opened);
    } catch (error) {
      // The client's answer is whole; what could not be kept is our trouble.
      logger.error({ err: error }, 'an answer could not be kept');
    }
    stream.end(held);
    finish();
  };
  context.signal.addEventListener('abort', () => feed.abort(), { once: true });
  stream.onDrain(() => feed.resume());
  feed.feed({
    text: (text, encoding) => {
      charge?.sent(text);
      if (!progress.isFinished || !isKept) return stream.write(text, encoding);
      held.push(Buffer.from(text, encoding));
      return true;
    },
    end: () => void endKept(),
    fail: (failure, told) => {
      const error = abortReason(context.signal) ?? failure;
      if (!told) held.push(Buffer.from(feed.writer.fail(error), feed.writer.encoding));
      stream.end(held);
      finish(error);
    },
  });
  return promise;
}
