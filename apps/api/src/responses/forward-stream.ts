import { relayStream, responsesProtocol } from '@sluice/protocols';
import type { StoredResponse } from '@sluice/responses';
import type { TextCall } from '../generation/generation-deps.ts';
import { openFeed, type StreamFeed } from '../generation/stream-feed.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import { failedAttempt, scrubbedFailure } from '../routing/upstream-failure.ts';
import { openStored } from './forward-stored.ts';
import type { ResponsesDeps } from './responses-deps.ts';

/**
 * Relays the events of a response from the vendor that generates and stores it.
 * @param isResumed whether the client has received some events before, perhaps all
 * @throws GatewayError `response_not_found`, or the upstream's error
 */
export async function forwardStream(
  deps: ResponsesDeps,
  call: TextCall,
  record: StoredResponse,
  isResumed: boolean,
): Promise<unknown> {
  const feed = await openVendorStream(deps, call, record, isResumed).catch((error: unknown) => {
    throw failedAttempt(error).error;
  });
  const stream = openEventStream(call.reply, {
    contentType: 'text/event-stream; charset=utf-8',
    keepAliveMs: deps.keepAliveMs,
    keepAlive: () => feed.writer.keepAlive(),
  });
  stream.begin({});
  call.signal.addEventListener('abort', () => feed.abort(), { once: true });
  stream.onDrain(() => feed.resume());
  await pump(feed, stream);
  return call.reply;
}

async function openVendorStream(
  deps: ResponsesDeps,
  call: TextCall,
  { body, createdAt, ...record }: StoredResponse,
  isResumed: boolean,
): Promise<StreamFeed> {
  const { newId, tokenCodec } = deps;
  const { response, capability } = await openStored(deps, call, { body, createdAt, ...record }, 'GET', '');
  const scrub = (text: string): string => capability.scrub(text);
  const { model } = record;
  const request = { protocol: responsesProtocol.name, model, stream: true, messages: [], tools: [] };
  const writer = relayStream({
    protocol: responsesProtocol,
    model,
    framing: 'sse',
    context: () => ({ request, body, createdAt, newId, tokenCodec, responseId: record.id }),
    withholdUsage: false,
    scrub,
    mayBeEmpty: isResumed,
  });
  return openFeed(response.body, writer, (error) => scrubbedFailure(error, scrub));
}

function pump(source: StreamFeed, stream: EventStream): Promise<void> {
  const { writer } = source;
  return new Promise((resolve) => {
    source.feed({
      text: (text, encoding) => stream.write(text, encoding),
      end: () => {
        stream.end();
        resolve();
      },
      fail: (error, isReported) => {
        stream.end(isReported ? [] : [Buffer.from(writer.fail(error), writer.encoding)]);
        resolve();
      },
    });
  });
}
