import {
  GatewayError,
  type LossReport,
  type StreamEvent,
  type Usage,
  invalidResponseMessage,
  UPSTREAM_MESSAGES,
} from '@sluice/canonical';
import type { SseFrame } from '../../stream/sse.ts';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { ChoiceBlocks } from './choice-blocks.ts';
import { readDelta } from './read-delta.ts';
import { reportChoice, reportCompletion, reportStopReason } from './report-unread.ts';
import { decodeInnerError } from '../wire/errors.ts';
import { decodeFinish } from '../wire/finish-reason.ts';
import {
  asArray,
  asNonEmptyString,
  asNumber,
  isSet,
  objectOrEmpty,
  type JsonObject,
  parseObject,
} from '../../json/values.ts';
import { decodeUsage } from '../wire/usage.ts';

interface OpenChoice {
  blocks: ChoiceBlocks;
  finishReason?: string;
  /** Only vLLM reports it. */
  stopSequence?: string;
}

/**
 * Emits blocks immediately (see {@link ChoiceBlocks}). Finish reasons and usage are emitted at the end of the stream,
 * because vendors send usage with the finish reason, after it, or both. `[DONE]` ends the stream even without a finish
 * reason, because some vendors omit the reason in complete responses. If the connection ends without `[DONE]`, the
 * response is complete only if every choice has a finish reason.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  return new CompletionReader(context);
}

class CompletionReader implements StreamDecoder {
  readonly #context: UpstreamResponseContext;
  readonly #choices = new Map<number, OpenChoice>();
  #isStarted = false;
  #isDone = false;
  #usage: Usage | undefined;
  #serviceTier: string | undefined;

  constructor(context: UpstreamResponseContext) {
    this.#context = context;
  }

  push({ data }: SseFrame): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#isDone) return events;
    if (data === '[DONE]') {
      this.#finish(events, this.#choices.size > 0);
      return events;
    }
    const chunk = parseObject(data);
    if (chunk) this.#readChunk(chunk, events);
    else
      this.#fail(new GatewayError('provider_error', invalidResponseMessage('an event is not a JSON object')), events);
    return events;
  }

  end(): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (!this.#isDone) this.#finish(events, this.#hasFinished());
    return events;
  }

  #readChunk(chunk: JsonObject, events: StreamEvent[]): void {
    if (isSet(chunk['error'])) return this.#fail(decodeInnerError(chunk), events);
    const choices = asArray(chunk['choices']);
    reportCompletion(chunk, this.#context.report);
    this.#serviceTier = asNonEmptyString(chunk['service_tier']) ?? this.#serviceTier;
    this.#usage = decodeUsage(chunk['usage'], this.#usage, (name) => chunk[name]);
    // Azure's first chunk has neither choices nor an id.
    if (!this.#isStarted && choices.length > 0) this.#start(chunk, events);
    for (const [position, choice] of choices.entries()) {
      if (!isRecord(choice)) continue;
      this.#readChoice(choice, position, events);
      if (this.#isDone) return;
    }
  }

  #start(chunk: JsonObject, events: StreamEvent[]): void {
    this.#isStarted = true;
    const id = asNonEmptyString(chunk['id']) ?? this.#context.newId('chatcmpl-');
    events.push({ type: 'start', id, model: asNonEmptyString(chunk['model']) ?? this.#context.target.model });
  }

  /** @param position position in the chunk, used as the index of a choice that has no index */
  #readChoice(fields: JsonObject, position: number, events: StreamEvent[]): void {
    const choice = this.#choiceAt(asNumber(fields['index']) ?? position);
    const delta = fields['delta'];
    reportChoice(fields, objectOrEmpty(delta), this.#context.report);
    if (isRecord(delta)) readDelta(delta, choice.blocks, this.#context, events);
    const reason = asNonEmptyString(fields['finish_reason']);
    if (reason === 'error') return this.#fail(decodeInnerError({ error: objectOrEmpty(fields['error']) }), events);
    if (reason !== undefined) {
      choice.finishReason = reason;
      choice.stopSequence = asNonEmptyString(fields['stop_reason']) ?? choice.stopSequence;
      if (choice.stopSequence === undefined) reportStopReason(fields, this.#context.report);
    }
    // Moonshot reports usage inside the choice.
    if (isRecord(fields['usage'])) this.#usage = decodeUsage(fields['usage'], this.#usage);
  }

  #choiceAt(index: number): OpenChoice {
    const known = this.#choices.get(index);
    if (known) return known;
    const choice = { blocks: new ChoiceBlocks(index, () => this.#context.newId('call_')) };
    this.#choices.set(index, choice);
    return choice;
  }

  #hasFinished(): boolean {
    return (
      this.#choices.size > 0 && [...this.#choices.values()].every(({ finishReason }) => finishReason !== undefined)
    );
  }

  #finish(events: StreamEvent[], isComplete: boolean): void {
    if (!isComplete) return this.#fail(brokenOff(), events);
    const choices = [...this.#choices].toSorted(([a], [b]) => a - b);
    for (const [, { blocks }] of choices) {
      if (!blocks.finish(events)) {
        return this.#fail(
          new GatewayError('provider_error', invalidResponseMessage('a tool call has no name')),
          events,
        );
      }
    }
    this.#isDone = true;
    if (this.#serviceTier !== undefined) events.push({ type: 'service-tier', serviceTier: this.#serviceTier });
    for (const [index, choice] of choices) events.push(finishEvent(index, choice, this.#context.report));
    if (this.#usage) events.push({ type: 'usage', usage: this.#usage });
    events.push({ type: 'end' });
  }

  #fail(error: GatewayError, events: StreamEvent[]): void {
    this.#isDone = true;
    events.push({ type: 'error', error });
  }
}

function finishEvent(
  choice: number,
  { blocks, finishReason, stopSequence }: OpenChoice,
  report: LossReport | undefined,
): StreamEvent {
  const finish = decodeFinish(finishReason, blocks);
  if (finish !== 'stop') reportStopReason({ stop_reason: stopSequence }, report);
  return stopSequence !== undefined && finish === 'stop'
    ? { type: 'finish', choice, finish: 'stop_sequence', stopSequence }
    : { type: 'finish', choice, finish };
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete, {
    retryable: true,
  });
}
