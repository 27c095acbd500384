import {
  GatewayError,
  type StreamEvent,
  type Usage,
  invalidResponseMessage,
  UPSTREAM_MESSAGES,
} from '@sluice/canonical';
import type { SseFrame } from '../../stream/sse.ts';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { openBlock, resumedBlock } from './decode-stream-block.ts';
import { InterleavedBlocks } from './interleaved-blocks.ts';
import { reportBlock, reportMessage } from './report-unread.ts';
import { decodeError } from '../wire/errors.ts';
import { decodeServiceTier } from '../wire/service-tier.ts';
import { decodeFinish } from '../wire/stop-reason.ts';
import { decodeUsage } from '../wire/usage.ts';
import { type JsonObject, asNumber, asString, objectOrEmpty, parseObject } from '../../json/values.ts';

/**
 * Decodes an upstream's stream:
 *
 *     message_start → (content_block_start → content_block_delta* → content_block_stop)* → message_delta → message_stop
 *
 * `ping` can occur anywhere, and `error` can replace any step. Anthropic opens one block at a time. Compatible vendors
 * interleave blocks or omit `content_block_stop`. `message_delta` contains the stop reason. A stream that ends before
 * `message_delta` is an error, and a stream that ends after it is complete.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  return new MessageReader(context);
}

class MessageReader implements StreamDecoder {
  readonly #context: UpstreamResponseContext;
  #isStarted = false;
  #isDone = false;
  readonly #blocks = new InterleavedBlocks();
  #hasCalls = false;
  #usage: Usage | undefined;
  #serviceTier: string | undefined;
  /** The `delta` field of `message_delta`. */
  #ending: JsonObject | undefined;

  constructor(context: UpstreamResponseContext) {
    this.#context = context;
  }

  push(frame: SseFrame): StreamEvent[] {
    if (this.#isDone) return [];
    const event = parseFrame(frame);
    if (!event) return this.#fail(invalidStream('an event is not a JSON object'));
    return this.#read(event, asString(event['type']) ?? frame.event ?? '');
  }

  end(): StreamEvent[] {
    if (this.#isDone) return [];
    return this.#ending ? this.#finish() : this.#fail(brokenOff());
  }

  #read(event: JsonObject, type: string): StreamEvent[] {
    switch (type) {
      case 'ping':
        return [{ type: 'ping' }];
      case 'error':
        return this.#fail(decodeError({ status: 200, headers: {}, body: event }));
      case 'message_start':
        return this.#start(objectOrEmpty(event['message']));
      case 'content_block_start':
        return [...this.#start({}), ...this.#openBlock(event)];
      case 'content_block_delta':
        return this.#delta(event);
      case 'content_block_stop':
        return this.#blocks.close(asNumber(event['index']) ?? 0);
      case 'message_delta':
        this.#readUsage(event['usage']);
        reportMessage({ ...event, ...objectOrEmpty(event['delta']), delta: undefined }, this.#context.report);
        if (isRecord(event['delta']) && asString(event['delta']['stop_reason']) !== undefined) {
          this.#ending = event['delta'];
        }
        return [];
      case 'message_stop':
        return [...this.#start({}), ...this.#finish()];
      default:
        return [];
    }
  }

  #start(message: JsonObject): StreamEvent[] {
    if (this.#isStarted) return [];
    this.#isStarted = true;
    this.#readUsage(message['usage']);
    reportMessage(message, this.#context.report);
    const id = asString(message['id']) ?? this.#context.newId('msg_');
    const model = asString(message['model']) ?? this.#context.target.model;
    return [{ type: 'start', id, model, usage: this.#usage }];
  }

  #readUsage(usage: unknown): void {
    this.#usage = decodeUsage(usage, this.#usage);
    this.#serviceTier = decodeServiceTier(usage) ?? this.#serviceTier;
  }

  #openBlock(event: JsonObject): StreamEvent[] {
    const fields = objectOrEmpty(event['content_block']);
    reportBlock(fields, this.#context.report);
    const block = openBlock(fields, this.#context);
    this.#hasCalls ||= block.isCall;
    return this.#blocks.open(asNumber(event['index']) ?? 0, block);
  }

  #delta({ index, delta }: JsonObject): StreamEvent[] {
    if (!isRecord(delta)) return [];
    const position = asNumber(index) ?? 0;
    const events = this.#blocks.delta(position, delta);
    if (events) return events;
    const resumed = this.#blocks.wasCut(position) ? resumedBlock(delta, this.#context) : undefined;
    if (!resumed) return this.#fail(invalidStream('a block is not open'));
    return [...this.#blocks.open(position, resumed), ...(this.#blocks.delta(position, delta) ?? [])];
  }

  #finish(): StreamEvent[] {
    const events = this.#blocks.closeAll();
    this.#isDone = true;
    if (this.#serviceTier !== undefined) events.push({ type: 'service-tier', serviceTier: this.#serviceTier });
    events.push({ type: 'finish', choice: 0, ...decodeFinish(this.#ending ?? {}, this.#hasCalls) });
    if (this.#usage) events.push({ type: 'usage', usage: this.#usage });
    events.push({ type: 'end' });
    return events;
  }

  #fail(error: GatewayError): StreamEvent[] {
    this.#isDone = true;
    return [{ type: 'error', error }];
  }
}

function parseFrame({ data }: SseFrame): JsonObject | undefined {
  // Some proxies end every stream with `[DONE]`, as in chat completions.
  return data === '[DONE]' ? {} : parseObject(data);
}

function invalidStream(problem: string): GatewayError {
  return new GatewayError('provider_error', invalidResponseMessage(problem));
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete, {
    retryable: true,
  });
}
