import { GatewayError, type StreamEvent, type Usage } from '@sluice/canonical';
import type { SseFrame } from '../../stream/sse.ts';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createChoiceBlocks, type ChoiceBlocks } from './choice-blocks.ts';
import { readDelta } from './read-delta.ts';
import { decodeInnerError } from '../wire/errors.ts';
import { decodeFinish } from '../wire/finish-reason.ts';
import { asArray, asNonEmptyString, isSet, objectOrEmpty, type JsonObject } from '../../json/values.ts';
import { decodeUsage } from '../wire/usage.ts';

interface OpenChoice {
  blocks: ChoiceBlocks;
  finish?: string;
  /** vLLM: the stop sequence. */
  met?: string;
}

/**
 * Decodes a stream of chunks.
 *
 * Blocks pass at once (see {@link ChoiceBlocks}). Finish reasons and usage wait for the end of the stream, because
 * usage
 * comes with the finish reason, after it, or both. The stream ends with `[DONE]` or the connection. It is complete only
 * if
 * every choice has finished.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  const choices = new Map<number, OpenChoice>();
  let isStarted = false;
  let isDone = false;
  let usage: Usage | undefined;

  function choiceAt(index: number): OpenChoice {
    const known = choices.get(index);
    if (known) return known;
    const opened = { blocks: createChoiceBlocks(index, () => context.newId('call_')) };
    choices.set(index, opened);
    return opened;
  }

  function fail(error: GatewayError, events: StreamEvent[]): void {
    isDone = true;
    events.push({ type: 'error', error });
  }

  function takeChunk(chunk: JsonObject, events: StreamEvent[]): void {
    if (isSet(chunk['error'])) return fail(decodeInnerError(chunk), events);
    const told = asArray(chunk['choices']);
    usage = decodeUsage(chunk['usage'], usage);
    // Azure's first chunk has neither choices nor an id.
    if (!isStarted && told.length > 0) {
      isStarted = true;
      const id = asNonEmptyString(chunk['id']) ?? context.newId('chatcmpl-');
      events.push({ type: 'start', id, model: asNonEmptyString(chunk['model']) ?? context.target.model });
    }
    for (const [at, choice] of told.entries()) {
      if (!isRecord(choice)) continue;
      takeChoice(choice, at, events);
      if (isDone) return;
    }
  }

  function takeChoice(choice: JsonObject, at: number, events: StreamEvent[]): void {
    const open = choiceAt(typeof choice['index'] === 'number' ? choice['index'] : at);
    const delta = choice['delta'];
    if (isRecord(delta)) readDelta(delta, open.blocks, context.target, events);
    const reason = asNonEmptyString(choice['finish_reason']);
    if (reason === 'error') return fail(decodeInnerError({ error: objectOrEmpty(choice['error']) }), events);
    if (reason !== undefined) {
      open.finish = reason;
      const met = asNonEmptyString(choice['stop_reason']);
      if (met !== undefined) open.met = met;
    }
    // Moonshot reports usage inside the choice.
    if (isRecord(choice['usage'])) usage = decodeUsage(choice['usage'], usage);
  }

  function close(events: StreamEvent[]): void {
    const open = [...choices].toSorted(([a], [b]) => a - b);
    if (open.length === 0 || open.some(([, { finish }]) => finish === undefined)) {
      return fail(brokenOff(), events);
    }
    for (const [, { blocks }] of open) {
      if (!blocks.finish(events)) {
        return fail(new GatewayError('provider_error', 'The upstream called a tool without a name.'), events);
      }
    }
    isDone = true;
    for (const [choice, { blocks, finish: reason, met }] of open) {
      const finish = decodeFinish(reason, blocks);
      const isMet = met !== undefined && finish === 'stop';
      events.push({
        type: 'finish',
        choice,
        finish: isMet ? 'stop_sequence' : finish,
        ...(isMet && { stopSequence: met }),
      });
    }
    if (usage) events.push({ type: 'usage', usage });
    events.push({ type: 'end' });
  }

  return {
    push: ({ data }: SseFrame) => {
      const events: StreamEvent[] = [];
      if (isDone) return events;
      if (data === '[DONE]') {
        close(events);
        return events;
      }
      const chunk = parseChunk(data);
      if (chunk) takeChunk(chunk, events);
      else fail(new GatewayError('provider_error', 'The upstream returned an invalid stream.'), events);
      return events;
    },
    end: () => {
      const events: StreamEvent[] = [];
      if (!isDone) close(events);
      return events;
    },
  };
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the stream before the response was complete.', {
    retryable: true,
  });
}

function parseChunk(data: string): JsonObject | undefined {
  try {
    const chunk: unknown = JSON.parse(data);
    return isRecord(chunk) ? chunk : undefined;
  } catch {
    return undefined;
  }
}
