import {
  GatewayError,
  invalidResponseMessage,
  type StreamEvent,
  UPSTREAM_MESSAGES,
  type Usage,
} from '@sluice/canonical';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asNumber, type JsonObject, objectOrEmpty, parseObject } from '../../json/values.ts';
import type { SseFrame } from '../../stream/sse.ts';
import { decodeError } from '../wire/decode-error.ts';
import { decodeServiceTier } from '../wire/service-tier.ts';
import { decodeFinish } from '../wire/stop-reason.ts';
import { decodeUsage } from '../wire/usage.ts';
import { type OpenBlock, openByDelta, openStarted } from './open-block.ts';
import { reportResponse } from './report-unread.ts';

/**
 * Decodes the stream of `ConverseStream`:
 *
 *     messageStart → (contentBlockStart? → contentBlockDelta* → contentBlockStop)* → messageStop → metadata
 *
 * Texts and reasoning have no start event. An exception (`…Exception`) can replace any step. `messageStop` contains the
 * stop reason, so a stream that ends before it is an error. `metadata` contains the usage.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  return new ConverseReader(context);
}

class ConverseReader implements StreamDecoder {
  readonly #context: UpstreamResponseContext;
  #isStarted = false;
  #isDone = false;
  #block: { index: number; open: OpenBlock } | undefined;
  #hasCalls = false;
  #usage: Usage | undefined;
  #serviceTier: string | undefined;
  /** `messageStop`. */
  #ending: JsonObject | undefined;

  constructor(context: UpstreamResponseContext) {
    this.#context = context;
  }

  push(frame: SseFrame): StreamEvent[] {
    if (this.#isDone) return [];
    const event = parseObject(frame.data);
    if (!event) return this.#fail(invalidStream('an event is not a JSON object'));
    return this.#read(event, frame.event ?? '');
  }

  end(): StreamEvent[] {
    if (this.#isDone) return [];
    if (this.#ending) return this.#finish(this.#ending);
    return this.#fail(new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete, { retryable: true }));
  }

  #read(event: JsonObject, type: string): StreamEvent[] {
    if (/exception$/i.test(type)) {
      return this.#fail(decodeError({ status: 0, headers: { 'x-amzn-errortype': type }, body: event }));
    }
    switch (type) {
      case 'messageStart':
        return this.#start();
      case 'contentBlockStart': {
        const open = openStarted(objectOrEmpty(event['start']), this.#context);
        return [...this.#start(), ...this.#open(indexOf(event), open)];
      }
      case 'contentBlockDelta':
        return isRecord(event['delta']) ? [...this.#start(), ...this.#delta(indexOf(event), event['delta'])] : [];
      case 'contentBlockStop':
        return this.#close();
      case 'messageStop':
        reportResponse(event, this.#context.report);
        this.#ending = event;
        return this.#start();
      case 'metadata':
        return this.#readMetadata(event);
      default:
        return [];
    }
  }

  #start(): StreamEvent[] {
    if (this.#isStarted) return [];
    this.#isStarted = true;
    return [{ type: 'start', id: this.#context.newId('msg_'), model: this.#context.target.model }];
  }

  #open(index: number, open: OpenBlock): StreamEvent[] {
    const closing = this.#close();
    this.#hasCalls ||= open.isCall;
    this.#block = { index, open };
    return [...closing, ...open.begin];
  }

  #delta(index: number, delta: JsonObject): StreamEvent[] {
    const events = this.#block?.index === index ? this.#block.open.delta(delta) : undefined;
    if (events) return events;
    const open = openByDelta(delta, this.#context);
    if (!open) return this.#fail(invalidStream('a block is not open'));
    return [...this.#open(index, open), ...(open.delta(delta) ?? [])];
  }

  #close(): StreamEvent[] {
    const events = this.#block?.open.close() ?? [];
    this.#block = undefined;
    return events;
  }

  #readMetadata(event: JsonObject): StreamEvent[] {
    reportResponse(event, this.#context.report);
    this.#usage = decodeUsage(event['usage'], event['serviceTier']) ?? this.#usage;
    this.#serviceTier = decodeServiceTier(event['serviceTier']) ?? this.#serviceTier;
    return this.#ending ? this.#finish(this.#ending) : [];
  }

  #finish(ending: JsonObject): StreamEvent[] {
    const events = [...this.#start(), ...this.#close()];
    this.#isDone = true;
    if (this.#serviceTier !== undefined) events.push({ type: 'service-tier', serviceTier: this.#serviceTier });
    events.push({ type: 'finish', choice: 0, ...decodeFinish(ending, this.#hasCalls) });
    if (this.#usage) events.push({ type: 'usage', usage: this.#usage });
    events.push({ type: 'end' });
    return events;
  }

  #fail(error: GatewayError): StreamEvent[] {
    this.#isDone = true;
    return [{ type: 'error', error }];
  }
}

function indexOf(event: JsonObject): number {
  return asNumber(event['contentBlockIndex']) ?? 0;
}

function invalidStream(problem: string): GatewayError {
  return new GatewayError('provider_error', invalidResponseMessage(problem));
}
