import type { GatewayError, Loss, Usage } from '@sluice/canonical';
import { keepAliveOf } from '@sluice/protocols';
import { traceFields } from '@sluice/telemetry';
import { abortReason } from '../http/abort-requests.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import type { Charge } from '../metering/charge.ts';
import { lossHeaders, servedHeaders } from '../routing/served-headers.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { type OpenedResponse, servedOf } from './request-completion.ts';
import type { TextContext } from './text-context.ts';

export interface Outcome {
  usage?: Usage | undefined;
  failed?: GatewayError | undefined;
}

const LOSS_TRAILER = 'x-sluice-dropped';

interface PumpOptions extends Pick<GenerationDeps, 'logger'> {
  charge: Charge | undefined;
  /** Losses of the request that the head does not name. */
  unsent: readonly Loss[];
}

export interface StreamSource {
  open: () => Promise<OpenedResponse>;
  isStored: (opened: OpenedResponse) => boolean;
  /** Must not throw. */
  store: (opened: OpenedResponse) => Promise<void>;
  /** Called exactly once. */
  onEnd: (opened: OpenedResponse, outcome: Outcome) => void;
}

/**
 * Sends a streamed response. An error before the response head is sent as an HTTP status. A later error is sent inside
 * the stream.
 * @throws GatewayError if nothing has been sent yet
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
    trailer: LOSS_TRAILER,
  });
  try {
    opened = await source.open();
  } catch (error) {
    if (!stream.hasStarted) {
      stream.cancel();
      throw error;
    }
    // If a keep-alive has already sent the head, the error is sent as the only event of the stream.
    const shown = abortReason(context.signal) ?? gatewayErrorOf(error);
    if (!context.signal.aborted) {
      const err = shown.cause ?? shown;
      logger.warn(
        { err, request_id: call.request.id, ...traceFields(call.request.trace), code: shown.code },
        'request failed',
      );
    }
    const writer = protocol.encodeStream(await emptyContext(context));
    stream.end([Buffer.from(writer.fail(shown))]);
    return;
  }
  const isTranslated = !opened.exchange.isRelayed;
  const served = servedOf(opened);
  // If a keep-alive has already sent the head, the trailer names the losses of the request too.
  const unsent = stream.hasStarted ? (served.losses ?? []) : [];
  stream.begin(servedHeaders(served), isTranslated ? LOSS_TRAILER : undefined);
  await pump(stream, opened, context, source, { logger, charge: call.request.charge, unsent });
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
  { logger, charge, unsent }: PumpOptions,
): Promise<void> {
  const { feed } = opened;
  if (!feed) throw new Error('a streamed response has a feed');
  const { progress } = feed.writer;
  const isStored = source.isStored(opened);
  const { promise, resolve } = Promise.withResolvers<void>();
  /**
   * The last part of the response is held back until the response is stored, because the client may request the stored
   * response immediately.
   */
  const tail: Buffer[] = [];

  const finish = (failed?: GatewayError): void => {
    if (failed) charge?.interrupted(progress.isReported);
    source.onEnd(opened, { usage: progress.usage, failed });
    resolve();
  };
  const trailers = () => lossHeaders([...unsent, ...(progress.losses ?? [])]);
  const storeAndEnd = async (): Promise<void> => {
    try {
      if (isStored) await source.store(opened);
    } catch (error) {
      // The client's response is complete even though it was not stored.
      logger.error({ err: error }, 'response could not be stored');
    }
    stream.end(tail, trailers());
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
      stream.end(tail, trailers());
      finish(error);
    },
  });
  return promise;
}
