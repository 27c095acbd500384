import { type FinishReason, GatewayError, type Generation } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { responseError } from '../wire/errors.ts';
import { NO_EVENTS } from './output-items.ts';
import { headOf, OutputWriter } from './output-writer.ts';
import { type ResponseObject, responseObject, type ResponseParts } from './response-object.ts';
import { asArray, asObject, type JsonObject } from '../../json/values.ts';

/** Encodes a complete response. This protocol has one choice: the first. */
export function encodeResponse(generation: Generation, context: ResponseContext): ResponseObject {
  const id = context.responseId ?? context.newId('resp_');
  const output = writeOutput(generation, context, id);
  const { usage, serviceTier } = generation;
  const ended = ending(generation.choices[0]?.finish ?? 'other', output);
  return responseObject({
    ...responseParts(context, id),
    ...ended,
    ...completion(ended.status, context),
    output,
    ...(usage && { usage }),
    ...(serviceTier !== undefined && { serviceTier }),
  });
}

/**
 * The items of a response, identical to those of {@link encodeResponse} and of the stream for the same `responseId`.
 */
export function outputItems(generation: Generation, context: ResponseContext): readonly JsonObject[] {
  return writeOutput(generation, context, context.responseId ?? context.newId('resp_'));
}

function writeOutput({ choices }: Generation, context: ResponseContext, responseId: string): readonly JsonObject[] {
  const writer = new OutputWriter(context, responseId, NO_EVENTS);
  for (const block of choices[0]?.content ?? []) {
    const head = headOf(block);
    if (!head) continue;
    writer.open(head);
    writer.close(block);
  }
  return writer.end(isCut(choices[0]?.finish));
}

/** The members that a response has in every state. */
export function responseParts(
  { request, body, createdAt }: ResponseContext,
  id: string,
): Pick<ResponseParts, 'id' | 'createdAt' | 'model' | 'body'> {
  return { id, createdAt, model: request.model, body };
}

/** Whether the response is incomplete. */
export function isCut(finish: FinishReason | undefined): boolean {
  return finish === 'length' || finish === 'context_window' || finish === 'content_filter';
}

/** @param output the items of the response */
export function ending(
  finish: FinishReason,
  output: readonly JsonObject[],
): Pick<ResponseParts, 'status' | 'incompleteReason' | 'error'> {
  switch (finish) {
    case 'length':
    case 'context_window':
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
    case 'content_filter':
      return { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'refusal':
      // Without a refusal part, a refusal would look like a complete or an empty response.
      return output.some(isRefusal)
        ? { status: 'completed' }
        : { status: 'incomplete', incompleteReason: 'content_filter' };
    case 'other':
      return output.length > 0 ? { status: 'completed' } : { status: 'failed', error: responseError(noResponse()) };
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return { status: 'completed' };
  }
}

/** The completion time; like OpenAI, none for a response that was not completed. */
export function completion(
  status: ResponseParts['status'],
  { now }: Pick<ResponseContext, 'now'>,
): Pick<ResponseParts, 'completedAt'> {
  return status === 'completed' && now ? { completedAt: now() } : {};
}

function isRefusal(item: JsonObject): boolean {
  return asArray(item['content']).some((part) => asObject(part)?.['type'] === 'refusal');
}

function noResponse(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the response without content.');
}
