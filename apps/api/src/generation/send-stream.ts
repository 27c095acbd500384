import type { GatewayError, Usage } from '@sluice/canonical';
import { keepAliveOf } from '@sluice/protocols';
import { abortReason } from '../http/abort-requests.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import type { Charge } from '../metering/charge.ts';
import { servedHeaders } from '../routing/served-headers.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { type OpenedResponse, servedOf } from './request-completion.ts';
import type { TextContext } from './text-context.ts';

export interface Outcome {
  usage?: Usage | undefined;
  failed?: GatewayError | undefined;
}

export interface StreamSource {
  open: () => Promise<OpenedResponse>;
  isStored: (opened: OpenedResponse) => boolean;
  /** Must not throw. */
  store: (opened: OpenedResponse) => Promise<void>;
  /** Called once. */
  onEnd: (opened: OpenedResponse, outcome: Outcome) => void;
}

/**
 * Sends errors with a status before the head, and inside the stream after it.
 * @throws GatewayError while nothing was sent
 */
export async function sendStream(
  { keepAliveMs, logger }: Pick<GenerationDeps, 'keepAliveMs' | 'logger'>,
  call: TextCall,
  context: TextContext,
  source: StreamSource,
): Promise<void> {
  const { protocol } = context.request;
  const isArray = context.response.framing === 'json-array';
  let opened: OpenedResponse | undefined;
  const stream = openEventStream(call.reply, {
    contentType: isArray ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
    keepAliveMs,
    keepAlive: () => opened?.feed?.writer.keepAlive() ?? keepAliveOf(protocol.name, isArray),
  });
  try {
    opened = await source.open();
  } catch (error) {
    if (!stream.isBegun) {
      stream.cancel();
      throw error;
    }
    // A keep-alive has sent the head, so the error goes into a stream of this request alone.
    const shown = abortReason(context.signal) ?? gatewayErrorOf(error);
    if (!context.signal.aborted) {
      const err = shown.cause ?? shown;
      logger.warn({ err, request_id: call.request.id, code: shown.code }, 'request failed');
    }
    const writer = protocol.encodeStream(await emptyContext(context));
    stream.end([Buffer.from(writer.fail(shown))]);
    return;
  }
  stream.begin(servedHeaders(servedOf(opened)));
  await pump(stream, opened, context, source, { logger, charge: call.request.charge });
}

async function emptyContext(context: TextContext) {
  const { protocol, model, stream } = context.request;
  const request = { protocol: protocol.name, model, stream, messages: [], tools: [] };
  return { ...context.response, request, body: context.request.body() };
}

function pump(
  stream: EventStream,
  opened: OpenedResponse,
  context: TextContext,
  source: StreamSource,
  { logger, charge }: Pick<GenerationDeps, 'logger'> & { charge: Charge | undefined },
): Promise<void> {
  const { feed } = opened;
  if (!feed) throw new Error('a streamed response has a feed');
  const { progress } = feed.writer;
  const isStored = source.isStored(opened);
  const { promise, resolve } = Promise.withResolvers<void>();
  /** The end of the response, withheld until it is stored: its reader may request the response's items at once. */
  const tail: Buffer[] = [];

  const finish = (failed?: GatewayError): void => {
    if (failed) charge?.interrupted(progress.isReported);
    source.onEnd(opened, { usage: progress.usage, failed });
    resolve();
  };
  const storeAndEnd = async (): Promise<void> => {
    try {
      if (isStored) await source.store(opened);
    } catch (error) {
      // The client's response is complete all the same.
      logger.error({ err: error }, 'response not stored');
    }
    stream.end(tail);
    finish();
  };
  context.signal.addEventListener('abort', () => feed.abort(), { once: true });
  stream.onDrain(() => feed.resume());
  feed.feed({
    text: (text, encoding) => {
      charge?.addSent(text);
      if (!progress.isFinished || !isStored) return stream.write(text, encoding);
      tail.push(Buffer.from(text, encoding));
      return true;
    },
    end: () => void storeAndEnd(),
    fail: (failure, isReported) => {
      const error = abortReason(context.signal) ?? failure;
      if (!isReported) tail.push(Buffer.from(feed.writer.fail(error), feed.writer.encoding));
      stream.end(tail);
      finish(error);
    },
  });
  return promise;
}
