import { chunksOf } from '../../text/word-tokens.ts';
import type { OutputItem } from './output-items.ts';
import type { ResponseObject } from './response-object.ts';

type Event = { type: string } & Record<string, unknown>;

function* summaryEvents(item: Extract<OutputItem, { type: 'reasoning' }>, at: object): Generator<Event> {
  for (const [index, { text }] of item.summary.entries()) {
    const where = { ...at, summary_index: index };
    yield { type: 'response.reasoning_summary_part.added', ...where, part: { type: 'summary_text', text: '' } };
    for (const delta of chunksOf(text)) yield { type: 'response.reasoning_summary_text.delta', ...where, delta };
    yield { type: 'response.reasoning_summary_text.done', ...where, text };
    yield { type: 'response.reasoning_summary_part.done', ...where, part: { type: 'summary_text', text } };
  }
}

function* contentEvents(item: Extract<OutputItem, { type: 'message' }>, at: object): Generator<Event> {
  // Messages from this API always have a list of parts.
  const parts = typeof item.content === 'string' ? [] : item.content;
  for (const [index, part] of parts.entries()) {
    const where = { ...at, content_index: index };
    if (part.type === 'refusal') {
      yield { type: 'response.content_part.added', ...where, part: { ...part, refusal: '' } };
      for (const delta of chunksOf(part.refusal)) yield { type: 'response.refusal.delta', ...where, delta };
      yield { type: 'response.refusal.done', ...where, refusal: part.refusal };
    } else if (part.type === 'output_text') {
      yield { type: 'response.content_part.added', ...where, part: { ...part, text: '' } };
      for (const delta of chunksOf(part.text)) {
        yield { type: 'response.output_text.delta', ...where, delta, logprobs: [] };
      }
      yield { type: 'response.output_text.done', ...where, text: part.text, logprobs: [] };
    }
    yield { type: 'response.content_part.done', ...where, part };
  }
}

function* itemEvents(item: OutputItem, at: object): Generator<Event> {
  switch (item.type) {
    case 'reasoning':
      yield* summaryEvents(item, at);
      break;
    case 'message':
      yield* contentEvents(item, at);
      break;
    case 'function_call':
      for (const delta of chunksOf(item.arguments)) {
        yield { type: 'response.function_call_arguments.delta', ...at, delta };
      }
      yield { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments };
      break;
    case 'custom_tool_call':
      for (const delta of chunksOf(item.input)) yield { type: 'response.custom_tool_call_input.delta', ...at, delta };
      yield { type: 'response.custom_tool_call_input.done', ...at, input: item.input };
      break;
    case 'compaction':
      yield { type: 'response.compaction.compacting', ...at };
      break;
  }
}

function startedItem(item: OutputItem): object {
  const { id, type } = item;
  switch (item.type) {
    case 'reasoning':
      return { id, type, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'compaction':
      return { ...item, encrypted_content: '' };
  }
}

function* eventsOf(response: ResponseObject, items: readonly OutputItem[]): Generator<Event> {
  const status = 'in_progress';
  const started = { ...response, status, output: [], usage: null, completed_at: null, incomplete_details: null };
  yield { type: 'response.created', response: started };
  yield { type: 'response.in_progress', response: started };
  for (const [index, item] of items.entries()) {
    yield { type: 'response.output_item.added', output_index: index, item: startedItem(item) };
    yield* itemEvents(item, { item_id: item.id, output_index: index });
    yield { type: 'response.output_item.done', output_index: index, item };
  }
  yield { type: `response.${response.status}`, response };
}

function format({ type, ...fields }: Event, sequence: number): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`;
}

export function* responseEvents(response: ResponseObject, items: readonly OutputItem[]): Generator<string> {
  let sequence = 0;
  for (const event of eventsOf(response, items)) {
    yield format(event, sequence);
    sequence += 1;
  }
}

/** @param sent number of events sent before this one. */
export function failedEvent(response: ResponseObject, sent: number): string {
  const error = { code: 'server_error', message: 'The server had an error while processing your request.' };
  const failed = { ...response, status: 'failed', error, output: [], usage: null, completed_at: null };
  return format({ type: 'response.failed', response: failed }, sent);
}
