import { type ContentBlock, GatewayError, type StreamEvent } from '@sluice/canonical';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createBlockRow, completeBlockEvents } from './block-row.ts';
import { decodeFinish, decodeOutputItem } from './decode-output.ts';
import { failureError, readFailure } from '../wire/errors.ts';
import {
  type CallReader,
  createCallReader,
  createPartReader,
  createReasoningReader,
  type PartReader,
  type ReasoningReader,
} from './stream-blocks.ts';
import { decodeUsage } from '../wire/usage.ts';
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../json/values.ts';

/** An item of a stream. */
interface OpenItem {
  /** Parts of a message by `content_index`. */
  parts: Map<number, PartReader>;
  reasoning?: ReasoningReader;
  call?: CallReader;
  id: string | undefined;
  isDone: boolean;
}

/**
 * Decodes the events of an upstream (openai-node 7.55, `ResponseStreamEvent`).
 *
 * A response is a list of items, each sent as `output_item.added`, deltas, and `output_item.done`. Not every upstream
 * sends all three: a text may start unannounced, arguments may come only in `….done`, and an item may come only when it
 * is
 * done or only in the final response. Each is read once, from the first event that has it. `response.completed` and
 * `response.incomplete` end the response; `response.failed`, `error`, and the end of the connection abort it.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  const row = createBlockRow();
  const items = new Map<number | string, OpenItem>();
  const types = new Set<ContentBlock['type']>();
  let doneItems = 0;
  let isStarted = false;
  let isOver = false;

  function start(response: JsonObject | undefined): StreamEvent[] {
    if (isStarted) return [];
    isStarted = true;
    return [
      {
        type: 'start',
        id: asString(response?.['id']) ?? context.newId('resp_'),
        model: asString(response?.['model']) ?? context.target.model,
      },
    ];
  }

  function openLane(type: ContentBlock['type']): ReturnType<typeof row.add> {
    types.add(type);
    return row.add();
  }

  function addItem(key: number | string, item: JsonObject): OpenItem {
    const open: OpenItem = { parts: new Map(), id: asString(item['id']), isDone: false };
    items.set(key, open);
    switch (item['type']) {
      case 'reasoning':
        open.reasoning = createReasoningReader(openLane('reasoning'), asString(item['id']), context);
        break;
      case 'function_call':
      case 'custom_tool_call':
        open.call = createCallReader(openLane('tool-call'), item);
        break;
      default:
    }
    return open;
  }

  function itemOf(fields: JsonObject, type: string): OpenItem {
    const open = items.get(keyOf(fields));
    return open && !open.isDone ? open : addItem(keyOf(fields), { type, id: fields['item_id'] });
  }

  function part(fields: JsonObject, type: 'text' | 'refusal'): PartReader {
    const { parts } = itemOf(fields, 'message');
    const index = asNumber(fields['content_index']) ?? 0;
    let reader = parts.get(index);
    if (!reader) {
      reader = createPartReader(type, () => openLane(type));
      parts.set(index, reader);
    }
    return reader;
  }

  function endPart(fields: JsonObject): void {
    const told = asObject(fields['part']);
    if (told?.['type'] === 'output_text') part(fields, 'text').end(told);
    else if (told?.['type'] === 'refusal') part(fields, 'refusal').end(told);
  }

  /** @param item in its final state, if the upstream sends it */
  function endItem(key: number | string, item: JsonObject | undefined): void {
    const known = items.get(key);
    const id = asString(item?.['id']);
    // A repeated event. Another id means another item, from an upstream that repeats an index.
    if (known?.isDone === true && (id === undefined || id === known.id)) return;
    const open = known && !known.isDone ? known : addItem(key, item ?? {});
    open.isDone = true;
    doneItems++;
    if (open.reasoning) return open.reasoning.end(item);
    if (open.call) return open.call.end(item);
    if (item?.['type'] !== 'message' && item !== undefined && open.parts.size === 0) {
      for (const block of decodeOutputItem(item, context)) {
        const lane = openLane(block.type);
        lane.pushAll(completeBlockEvents(block));
        lane.close();
      }
      return;
    }
    for (const [index, told] of asArray(item?.['content']).entries()) {
      const content = asObject(told);
      const type = content?.['type'] === 'refusal' ? 'refusal' : 'text';
      const reader = open.parts.get(index) ?? createPartReader(type, () => openLane(type));
      reader.end(content);
      open.parts.set(index, reader);
    }
    for (const reader of open.parts.values()) reader.end(undefined);
  }

  /** Reads items that only the final response contains, and closes open ones. */
  function settle(output: readonly unknown[]): void {
    for (const [index, told] of output.entries()) {
      const item = asObject(told);
      const key = !items.has(index) && items.has(asString(item?.['id']) ?? '') ? (asString(item?.['id']) ?? '') : index;
      const open = items.get(key);
      if (!item || open?.isDone === true || (!open && doneItems >= output.length)) continue;
      endItem(key, item);
    }
    for (const [key, open] of items) if (!open.isDone) endItem(key, undefined);
  }

  function finish(response: JsonObject | undefined, status: unknown): StreamEvent[] {
    settle(asArray(response?.['output']));
    isOver = true;
    const usage = decodeUsage(response?.['usage']);
    return [
      ...row.take(),
      { type: 'finish', choice: 0, finish: decodeFinish({ ...response, status }, types) },
      ...(usage ? [{ type: 'usage' as const, usage }] : []),
      { type: 'end' },
    ];
  }

  function fail(error: GatewayError): StreamEvent[] {
    isOver = true;
    return [{ type: 'error', error }];
  }

  function read(type: string, fields: JsonObject): StreamEvent[] {
    switch (type) {
      case 'response.output_text.delta':
        part(fields, 'text').delta(asString(fields['delta']) ?? '');
        break;
      case 'response.output_text.done':
        part(fields, 'text').complete(asString(fields['text']) ?? '');
        break;
      case 'response.output_text.annotation.added':
        part(fields, 'text').annotation(fields['annotation']);
        break;
      case 'response.refusal.delta':
        part(fields, 'refusal').delta(asString(fields['delta']) ?? '');
        break;
      case 'response.refusal.done':
        part(fields, 'refusal').complete(asString(fields['refusal']) ?? '');
        break;
      case 'response.content_part.done':
        endPart(fields);
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': {
        const isSummary = type === 'response.reasoning_summary_text.delta';
        itemOf(fields, 'reasoning').reasoning?.delta(asString(fields['delta']) ?? '', paragraphOf(fields), isSummary);
        break;
      }
      case 'response.reasoning_summary_text.done':
      case 'response.reasoning_text.done': {
        const isSummary = type === 'response.reasoning_summary_text.done';
        itemOf(fields, 'reasoning').reasoning?.complete(asString(fields['text']) ?? '', paragraphOf(fields), isSummary);
        break;
      }
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        itemOf(fields, 'function_call').call?.delta(asString(fields['delta']) ?? '');
        break;
      case 'response.function_call_arguments.done':
        itemOf(fields, 'function_call').call?.complete(asString(fields['arguments']) ?? '');
        break;
      case 'response.custom_tool_call_input.done':
        itemOf(fields, 'custom_tool_call').call?.complete(asString(fields['input']) ?? '');
        break;
      case 'response.output_item.added':
        if (items.get(keyOf(fields))?.isDone !== false) addItem(keyOf(fields), asObject(fields['item']) ?? {});
        break;
      case 'response.output_item.done':
        endItem(keyOf(fields), asObject(fields['item']));
        break;
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
        // Some proxies send an error in place of a chunk.
        if (isRecord(fields['error'])) return fail(failureError(readFailure(fields)));
    }
    return row.take();
  }

  return {
    push: ({ event, data }) => {
      if (isOver || data === '[DONE]') return [];
      const fields = parse(data);
      if (!fields) return fail(notUnderstood());
      const type = asString(fields['type']) ?? event;
      const isFailure = type === 'error' || type === 'response.failed' || (type === undefined && 'error' in fields);
      const name = type ?? '';
      return isFailure ? read(name, fields) : [...start(asObject(fields['response'])), ...read(name, fields)];
    },
    end: () => {
      if (isOver) return [];
      return fail(
        new GatewayError('provider_error', 'The upstream ended the stream before the response was complete.', {
          retryable: true,
        }),
      );
    },
  };
}

/** Identifies an item; some upstreams omit the index. */
function keyOf(fields: JsonObject): number | string {
  return (
    asNumber(fields['output_index']) ?? asString(fields['item_id']) ?? asString(asObject(fields['item'])?.['id']) ?? 0
  );
}

function paragraphOf(fields: JsonObject): number {
  return Math.max(0, asNumber(fields['summary_index']) ?? asNumber(fields['content_index']) ?? 0);
}

function parse(data: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(data));
  } catch {
    return undefined;
  }
}

function notUnderstood(): GatewayError {
  return new GatewayError('provider_error', 'The upstream returned an invalid stream.', { retryable: true });
}
