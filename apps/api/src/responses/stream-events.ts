import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@sluice/canonical';
import { keepAliveOf } from '@sluice/protocols';
import type { LogPart, StoredResponse } from '@sluice/responses';
import type { TextCall } from '../generation/generation-deps.ts';
import { openEventStream } from '../http/event-stream.ts';
import type { ResponsesDeps } from './responses-deps.ts';

const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 250;

type StreamDeps = Pick<ResponsesDeps, 'responses' | 'keepAliveMs'>;

/**
 * Sends the events of a background response after the one with a number, and follows the response until it ends. All
 * clients receive the same bytes, whichever worker generates the response. A client that disconnects can resume.
 * @param after -1 for all events
 * @throws GatewayError `unsupported_parameter` if the response has no log; `invalid_request` if the next event was removed, or if
 *   the event with the number does not exist
 */
export async function streamEvents(
  deps: StreamDeps,
  call: TextCall,
  { owner, id }: Pick<StoredResponse, 'owner' | 'id'>,
  after: number,
): Promise<unknown> {
  const { reply, signal } = call;
  const first = await deps.responses.readEvents(owner, id, after);
  if (!first) throw notStreamed();
  if (first.first > after + 1) throw eventsRemoved(first.first);
  if (first.last !== undefined && after > first.last) throw noSuchEvent(first.last);
  signal.throwIfAborted();
  const stream = openEventStream(reply, {
    contentType: 'text/event-stream; charset=utf-8',
    keepAliveMs: deps.keepAliveMs,
    keepAlive: () => keepAliveOf('responses', false),
  });
  stream.begin({});
  for await (const events of followLog(deps.responses, { owner, id, signal }, first)) {
    if (!stream.write(events, 'utf8')) await once(reply.raw, 'drain', { signal }).catch(() => undefined);
  }
  stream.end();
  return reply;
}

/** Yields the text of the events until the response has ended or was deleted, or the signal aborts. */
async function* followLog(
  responses: Pick<ResponsesDeps['responses'], 'readEvents'>,
  { owner, id, signal }: Pick<StoredResponse, 'owner' | 'id'> & { signal: AbortSignal },
  start: LogPart,
): AsyncGenerator<string> {
  let part = start;
  let next = start.first;
  let pauseMs = FIRST_PAUSE_MS;
  // A reader that is slower than the log is long would miss events.
  while (!signal.aborted && part.first === next) {
    next += part.events.length;
    if (part.events.length > 0) yield part.events.join('');
    if (part.isEnd) return;
    pauseMs = part.events.length > 0 ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, MAX_PAUSE_MS);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    const after = next - 1;
    // During an outage of Redis, the client waits.
    const read = await responses.readEvents(owner, id, after).catch(() => ({ events: [], first: next, isEnd: false }));
    if (!read) return;
    part = read;
  }
}

function notStreamed(): GatewayError {
  const what = 'Only a response with `background: true` can be streamed. Retrieve it without `stream`.';
  return new GatewayError('unsupported_parameter', what, { param: 'stream' });
}

function noSuchEvent(last: number): GatewayError {
  const what = `starting_after must be at most ${last}, the number of the last event so far.`;
  return new GatewayError('invalid_request', what, { param: 'starting_after' });
}

function eventsRemoved(first: number): GatewayError {
  const what = `The events before number ${first} are no longer stored. Retrieve the response without \`stream\`.`;
  return new GatewayError('invalid_request', what, { param: 'starting_after' });
}
