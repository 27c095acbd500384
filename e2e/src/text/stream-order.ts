import type { Anthropic } from '@anthropic-ai/sdk';
import type { GenerateContentResponse } from '@google/genai';
import type OpenAI from 'openai';
import { expect } from 'vitest';
import type { Protocol } from './clients/text-client.ts';

/** Checks that the frames of a complete stream are in the order that the protocol requires. */
export function expectOrder(protocol: Protocol, frames: readonly unknown[]): void {
  // The casts are safe because the client returned frames of its own protocol.
  switch (protocol) {
    case 'chat-completions':
      return chatOrder(frames as OpenAI.ChatCompletionChunk[]);
    case 'responses':
      return responsesOrder(frames as OpenAI.Responses.ResponseStreamEvent[]);
    case 'messages':
      return messagesOrder(frames as Anthropic.RawMessageStreamEvent[]);
    case 'generative-content':
      return generativeOrder(frames as GenerateContentResponse[]);
  }
}

/**
 * All chunks have the same id. The first chunk has the role, one chunk has the finish reason, and the last chunk has
 * only the usage.
 */
function chatOrder(chunks: readonly OpenAI.ChatCompletionChunk[]): void {
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  const finished = chunks.flatMap(({ choices }, at) => (choices[0]?.finish_reason ? [at] : []));
  expect(finished).toEqual([chunks.length - 2]);
  expect(chunks.map(({ usage }) => Boolean(usage))).toEqual(chunks.map((_, at) => at === chunks.length - 1));
  expect(chunks.at(-1)?.choices).toEqual([]);
}

/** Events are numbered from 0. `created` is first, `completed` is last, and items do not overlap. */
function responsesOrder(events: readonly OpenAI.Responses.ResponseStreamEvent[]): void {
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error(`The last event is ${last?.type}.`);
  let open: number | undefined;
  let next = 0;
  for (const event of events) {
    if (event.type === 'response.output_item.added') {
      expect([open, event.output_index]).toEqual([undefined, next]);
      open = event.output_index;
    } else if (event.type === 'response.output_item.done') {
      expect(event.output_index).toBe(open);
      open = undefined;
      next += 1;
    } else if ('output_index' in event) expect(event.output_index).toBe(open);
  }
  expect(open).toBeUndefined();
  const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
  expect(last.response.output).toEqual(done);
}

/** One start event, blocks numbered from 0 with only one open at a time, one `message_delta`, and one stop event. */
function messagesOrder(events: readonly Anthropic.RawMessageStreamEvent[]): void {
  const ends = events.filter(({ type }) => type.startsWith('message_')).map(({ type }) => type);
  expect(ends).toEqual(['message_start', 'message_delta', 'message_stop']);
  expect(events[0]?.type).toBe('message_start');
  expect(events.at(-2)?.type).toBe('message_delta');
  let open: number | undefined;
  let next = 0;
  for (const event of events) {
    if (event.type === 'content_block_start') {
      expect([open, event.index]).toEqual([undefined, next]);
      open = event.index;
      next += 1;
    } else if ('index' in event) {
      expect(event.index).toBe(open);
      if (event.type === 'content_block_stop') open = undefined;
    }
  }
  expect(open).toBeUndefined();
}

/** All chunks have the same id. Only the last chunk has the finish reason and the usage. */
function generativeOrder(chunks: readonly GenerateContentResponse[]): void {
  expect(new Set(chunks.map(({ responseId }) => responseId)).size).toBe(1);
  const finished = chunks.flatMap(({ candidates }, at) => (candidates?.[0]?.finishReason ? [at] : []));
  expect(finished).toEqual([chunks.length - 1]);
  expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
}
