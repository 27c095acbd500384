import type { GatewayError, Usage } from '@sluice/canonical';
import { SSE_COMMENT } from '../../stream/sse.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { responseError } from '../wire/errors.ts';
import { outputItemId } from './item-id.ts';
import { createOutputItems } from './output-items.ts';
import { createResponseEvents } from './response-events.ts';
import { responseIdOf, responseInState, type ResponseObject } from './response-object.ts';
import { encodeUsage, type ResponsesUsage } from '../wire/usage.ts';
import type { JsonObject } from '../../json/values.ts';

/** The response of `POST /v1/responses/compact`. */
export interface CompactedResponse {
  id: string;
  object: 'response.compaction';
  created_at: number;
  output: readonly JsonObject[];
  usage: ResponsesUsage;
}

/** @param output the remaining user messages, followed by one compaction item */
export function compactedResponse(parts: {
  id: string;
  createdAt: number;
  output: readonly JsonObject[];
  usage: Usage;
}): CompactedResponse {
  const { id, createdAt, output, usage } = parts;
  return { id, object: 'response.compaction', created_at: createdAt, output, usage: encodeUsage(usage) };
}

/** A conversation's summary, as an opaque token. */
export interface Compaction {
  encryptedContent: string;
  usage: Usage;
}

/**
 * Creates the compaction item, which replaces all earlier items.
 * @param responseId id of the response that starts with this item
 */
export function compactionItem(encryptedContent: string, responseId: string): JsonObject {
  return { id: outputItemId('compaction', responseId, 0), type: 'compaction', encrypted_content: encryptedContent };
}

/** Creates the response to a `compaction_trigger`. Codex requires exactly one compaction item. */
export function compactionResponse({ encryptedContent, usage }: Compaction, context: ResponseContext): ResponseObject {
  const id = responseIdOf(context);
  const output = [compactionItem(encryptedContent, id)];
  return responseInState(context, id, { status: 'completed', output, usage });
}

/** Encodes the stream for a `compaction_trigger`. Each method returns the text to send. */
export interface CompactionStream {
  start(): string;
  keepAlive(): string;
  finish(compaction: Compaction): string;
  /** Can be called at any time, even before `start`. */
  fail(error: GatewayError): string;
}

export function compactionStream(context: ResponseContext): CompactionStream {
  const events = createResponseEvents(context);
  const items = createOutputItems(events.id, events.sink);
  let isDone = false;

  function complete(write: () => void): string {
    if (isDone) return '';
    isDone = true;
    events.start();
    write();
    return events.take();
  }

  return {
    start: () => {
      events.start();
      return events.take();
    },
    keepAlive: () => (isDone ? '' : SSE_COMMENT),
    finish: ({ encryptedContent, usage }) =>
      complete(() => {
        const item = compactionItem(encryptedContent, events.id);
        items.addComplete({ ...item, encrypted_content: '' }, item, ['response.compaction.compacting']);
        events.end({ status: 'completed', output: items.finished, usage });
      }),
    fail: (error) => complete(() => events.end({ status: 'failed', error: responseError(error) })),
  };
}
