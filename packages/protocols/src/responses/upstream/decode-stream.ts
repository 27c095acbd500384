import { GatewayError, type StreamEvent, invalidResponseMessage, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { SseFrame } from '../../stream/sse.ts';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeFinish } from './decode-output.ts';
import { reportResponse } from './report-unread.ts';
import { StreamItems } from './stream-items.ts';
import { failureError, readFailure } from '../wire/errors.ts';
import { decodeUsage } from '../wire/usage.ts';
import { asArray, asObject, asString, type JsonObject, parseObject } from '../../json/values.ts';

/**
 * Decodes an upstream's events (openai-node 7.55, `ResponseStreamEvent`):
 *
 *     created → (output_item.added → deltas → output_item.done)* → completed | incomplete | failed | error
 *
 * Some upstreams omit `created` or some of an item's events (see {@link StreamItems}). `response.completed` and
 * `response.incomplete` end the response. `response.failed`, `response.cancelled`, `error`, and a closed connection
 * abort it.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  const items = new StreamItems(context);
  let isStarted = false;
  let isDone = false;

  function start(response: JsonObject | undefined): StreamEvent {
    isStarted = true;
    const id = asString(response?.['id']) ?? context.newId('resp_');
    return { type: 'start', id, model: asString(response?.['model']) ?? context.target.model };
  }

  function finish(response: JsonObject | undefined, status: 'completed' | 'incomplete'): StreamEvent[] {
    isDone = true;
    items.finish(asArray(response?.['output']));
    reportResponse(response ?? {}, context.report);
    const events = items.take();
    const serviceTier = asString(response?.['service_tier']);
    if (serviceTier !== undefined) events.push({ type: 'service-tier', serviceTier });
    events.push({ type: 'finish', choice: 0, finish: decodeFinish({ ...response, status }, items.blockTypes) });
    const usage = decodeUsage(response?.['usage'], undefined, (name) => response?.[name]);
    if (usage) events.push({ type: 'usage', usage });
    events.push({ type: 'end' });
    return events;
  }

  function fail(error: GatewayError): StreamEvent[] {
    isDone = true;
    return [{ type: 'error', error }];
  }

  function read(type: string, fields: JsonObject): StreamEvent[] {
    switch (type) {
      case 'response.completed':
        return finish(asObject(fields['response']), 'completed');
      case 'response.incomplete':
        return finish(asObject(fields['response']), 'incomplete');
      case 'response.failed':
      case 'response.cancelled':
        return fail(failureError(readFailure(fields['response'])));
      case 'error':
        return fail(failureError(readFailure(fields)));
      default:
        if (items.read(type, fields)) return items.take();
        // Some proxies send an error instead of a chunk.
        return isRecord(fields['error']) ? fail(failureError(readFailure(fields))) : items.take();
    }
  }

  return {
    push: ({ event, data }: SseFrame) => {
      if (isDone || data === '[DONE]') return [];
      const fields = parseObject(data);
      if (!fields) return fail(brokenStream(invalidResponseMessage('an event is not a JSON object')));
      const type = asString(fields['type']) ?? event;
      const isFailure = type === 'error' || type === 'response.failed' || (type === undefined && 'error' in fields);
      if (isStarted || isFailure) return read(type ?? '', fields);
      return [start(asObject(fields['response'])), ...read(type ?? '', fields)];
    },
    end: () => (isDone ? [] : fail(brokenStream(UPSTREAM_MESSAGES.incomplete))),
  };
}

function brokenStream(message: string): GatewayError {
  return new GatewayError('provider_error', message, { retryable: true });
}
