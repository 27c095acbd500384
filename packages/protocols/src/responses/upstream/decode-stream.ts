import { GatewayError, type StreamEvent } from '@sluice/canonical';
import type { SseFrame } from '../../stream/sse.ts';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeFinish } from './decode-output.ts';
import { StreamItems } from './stream-items.ts';
import { failureError, readFailure } from '../wire/errors.ts';
import { decodeUsage } from '../wire/usage.ts';
import { asArray, asObject, asString, type JsonObject, parseObject } from '../../json/values.ts';

/**
 * Decodes the events of an upstream (openai-node 7.55, `ResponseStreamEvent`):
 *
 *     created → (output_item.added → deltas → output_item.done)* → completed | incomplete | failed | error
 *
 * Not every upstream sends all three events of an item (see {@link StreamItems}), and some omit `created`.
 * `response.completed` and `response.incomplete` end the response; `response.failed`, `response.cancelled`, `error`, and
 * the end of the connection abort it.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  const response = new ResponseReader(context);
  return {
    push: (frame) => response.push(frame),
    end: () => response.end(),
  };
}

class ResponseReader {
  readonly #context: UpstreamResponseContext;
  readonly #items: StreamItems;
  #isStarted = false;
  #isDone = false;

  constructor(context: UpstreamResponseContext) {
    this.#context = context;
    this.#items = new StreamItems(context);
  }

  push({ event, data }: SseFrame): StreamEvent[] {
    if (this.#isDone || data === '[DONE]') return [];
    const fields = parseObject(data);
    if (!fields) return this.#fail(invalidStream());
    const type = asString(fields['type']) ?? event;
    const isFailure = type === 'error' || type === 'response.failed' || (type === undefined && 'error' in fields);
    if (this.#isStarted || isFailure) return this.#read(type ?? '', fields);
    const start = this.#start(asObject(fields['response']));
    return [start, ...this.#read(type ?? '', fields)];
  }

  end(): StreamEvent[] {
    return this.#isDone ? [] : this.#fail(endedEarly());
  }

  #start(response: JsonObject | undefined): StreamEvent {
    this.#isStarted = true;
    const id = asString(response?.['id']) ?? this.#context.newId('resp_');
    return { type: 'start', id, model: asString(response?.['model']) ?? this.#context.target.model };
  }

  #read(type: string, fields: JsonObject): StreamEvent[] {
    switch (type) {
      case 'response.completed':
        return this.#finish(asObject(fields['response']), 'completed');
      case 'response.incomplete':
        return this.#finish(asObject(fields['response']), 'incomplete');
      case 'response.failed':
      case 'response.cancelled':
        return this.#fail(failureError(readFailure(fields['response'])));
      case 'error':
        return this.#fail(failureError(readFailure(fields)));
      default:
        if (this.#items.read(type, fields)) return this.#items.take();
        // Some proxies send an error in place of a chunk.
        return isRecord(fields['error']) ? this.#fail(failureError(readFailure(fields))) : this.#items.take();
    }
  }

  #finish(response: JsonObject | undefined, status: unknown): StreamEvent[] {
    this.#isDone = true;
    this.#items.finish(asArray(response?.['output']));
    const events = this.#items.take();
    events.push({ type: 'finish', choice: 0, finish: decodeFinish({ ...response, status }, this.#items.blockTypes) });
    const usage = decodeUsage(response?.['usage']);
    if (usage) events.push({ type: 'usage', usage });
    events.push({ type: 'end' });
    return events;
  }

  #fail(error: GatewayError): StreamEvent[] {
    this.#isDone = true;
    return [{ type: 'error', error }];
  }
}

function invalidStream(): GatewayError {
  return new GatewayError('provider_error', 'The upstream returned an invalid stream.', { retryable: true });
}

function endedEarly(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the stream before the response was complete.', {
    retryable: true,
  });
}
