import { type FinishReason, GatewayError, type Generation, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { blockHead } from '../../text/block-head.ts';
import { responseError } from '../wire/errors.ts';
import { NO_EVENTS } from './output-items.ts';
import { OutputWriter } from './output-writer.ts';
import { responseIdOf, responseInState, type ResponseObject, type ResponseState } from './response-object.ts';
import { asArray, asObject, type JsonObject } from '../../json/values.ts';

/** Encodes a complete response. This protocol supports one choice, so only the first is encoded. */
export function encodeResponse(generation: Generation, context: ResponseContext): ResponseObject {
  const { choices, usage, serviceTier } = generation;
  if (choices.length > 1) context.lost?.('choices');
  reportFinish(choices[0] ?? {}, context);
  const id = responseIdOf(context);
  const output = writeOutput(generation, context, id);
  const state = finalState(choices[0]?.finish ?? 'other', output, context);
  return responseInState(context, id, { ...state, usage, serviceTier });
}

/**
 * Returns a response's output items. For the same `responseId`, they equal the items in the buffered response and in
 * the stream.
 */
export function outputItems(generation: Generation, context: ResponseContext): readonly JsonObject[] {
  return writeOutput(generation, context, responseIdOf(context));
}

function writeOutput({ choices }: Generation, context: ResponseContext, responseId: string): readonly JsonObject[] {
  const writer = new OutputWriter(context, responseId, NO_EVENTS);
  for (const block of choices[0]?.content ?? []) {
    const head = blockHead(block);
    if (!head) continue;
    writer.open(head);
    writer.close(block);
  }
  return writer.end(isIncomplete(choices[0]?.finish));
}

/** Reports the parts of a finish reason that have no field in this protocol. */
export function reportFinish(
  { stopSequence, detail }: { stopSequence?: string | undefined; detail?: string | undefined },
  { lost }: ResponseContext,
): void {
  if (stopSequence !== undefined) lost?.('stop sequence');
  if (detail !== undefined) lost?.('stop details');
}

export function isIncomplete(finish: FinishReason | undefined): boolean {
  return finish === 'length' || finish === 'context_window' || finish === 'content_filter';
}

/** Returns the final state of a response that the upstream ended. */
export function finalState(
  finish: FinishReason,
  output: readonly JsonObject[],
  { now }: Pick<ResponseContext, 'now'>,
): ResponseState {
  const ended = statusOf(finish, output);
  // As in OpenAI's API, only a completed response has a completion time.
  return { ...ended, output, completedAt: ended.status === 'completed' ? now?.() : undefined };
}

function statusOf(finish: FinishReason, output: readonly JsonObject[]): ResponseState {
  switch (finish) {
    case 'length':
    case 'context_window':
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
    case 'content_filter':
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'refusal':
      // A refusal part already shows the refusal. Without it, the status `completed` would hide the refusal.
      if (output.some(isRefusal)) return { status: 'completed' };
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'other':
      return output.length > 0 ? { status: 'completed' } : { status: 'failed', error: responseError(noContent()) };
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return { status: 'completed' };
  }
}

function isRefusal(item: JsonObject): boolean {
  return asArray(item['content']).some((part) => asObject(part)?.['type'] === 'refusal');
}

function noContent(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.noContent);
}
