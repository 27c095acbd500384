import { type FinishReason, GatewayError, type Generation } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { blockHead } from '../../text/block-head.ts';
import { responseError } from '../wire/errors.ts';
import { NO_EVENTS } from './output-items.ts';
import { OutputWriter } from './output-writer.ts';
import { responseIdOf, responseInState, type ResponseObject, type ResponseState } from './response-object.ts';
import { asArray, asObject, type JsonObject } from '../../json/values.ts';

/** Encodes a complete response. This protocol has one choice: the first. */
export function encodeResponse(generation: Generation, context: ResponseContext): ResponseObject {
  const { choices, usage, serviceTier } = generation;
  const id = responseIdOf(context);
  const output = writeOutput(generation, context, id);
  const state = finalState(choices[0]?.finish ?? 'other', output, context);
  return responseInState(context, id, { ...state, usage, serviceTier });
}

/** The items of a response; the same as in the encoded response and stream for the same `responseId`. */
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

export function isIncomplete(finish: FinishReason | undefined): boolean {
  return finish === 'length' || finish === 'context_window' || finish === 'content_filter';
}

/** The state of a response that the upstream ended. */
export function finalState(
  finish: FinishReason,
  output: readonly JsonObject[],
  { now }: Pick<ResponseContext, 'now'>,
): ResponseState {
  const ended = statusOf(finish, output);
  // As at OpenAI, only a completed response has a completion time.
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
      // Without a refusal part, a refusal would look like a complete or an empty response.
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
  return new GatewayError('provider_error', 'The upstream ended the response without content.');
}
