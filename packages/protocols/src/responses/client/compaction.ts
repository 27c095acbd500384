import type { GatewayError, Usage } from '@sluice/canonical';
import { SSE_COMMENT } from '../../stream/sse.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { responseParts } from './encode-response.ts';
import { responseError } from '../wire/errors.ts';
import { createEventText } from './event-text.ts';
import { outputItemId } from './item-id.ts';
import { createOutputItems } from './output-items.ts';
import { type ResponseObject, responseObject } from './response-object.ts';
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

/** @param output the user's messages that are kept, then one compaction item */
export function compactedResponse(parts: {
  id: string;
  createdAt: number;
  output: readonly JsonObject[];
  usage: Usage;
}): CompactedResponse {
  const { id, createdAt, output, usage } = parts;
  return { id, object: 'response.compaction', created_at: createdAt, output, usage: encodeUsage(usage) };
}

/** The summary of a conversation, as an opaque token. */
export interface Compaction {
  encryptedContent: string;
  usage: Usage;
}

/** The item that replaces everything before it. @param responseId the response that starts with this item */
export function compactionItem(encryptedContent: string, responseId: string): JsonObject {
  return { id: outputItemId('compaction', responseId, 0), type: 'compaction', encrypted_content: encryptedContent };
}

/** The response to a `compaction_trigger`: exactly one compaction item, as Codex demands. */
export function compactionResponse({ encryptedContent, usage }: Compaction, context: ResponseContext): ResponseObject {
  const id = context.responseId ?? context.newId('resp_');
  const output = [compactionItem(encryptedContent, id)];
  return responseObject({ ...responseParts(context, id), status: 'completed', output, usage });
}

/** The stream for a `compaction_trigger`. Each method returns the text to send. */
export interface CompactionStream {
  start(): string;
  keepAlive(): string;
  finish(compaction: Compaction): string;
  /** Valid at any time, also before `start`. */
  fail(error: GatewayError): string;
}

export function compactionStream(context: ResponseContext): CompactionStream {
  const events = createEventText();
  const id = context.responseId ?? context.newId('resp_');
  const items = createOutputItems(id, events.sink);
  const parts = responseParts(context, id);
  let isStarted = false;
  let isDone = false;

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    const created = JSON.stringify(responseObject({ ...parts, status: 'in_progress' }));
    events.response('response.created', created);
    events.response('response.in_progress', created);
  }

  function complete(write: () => void): string {
    if (isDone) return '';
    start();
    isDone = true;
    write();
    return events.take();
  }

  return {
    start: () => {
      start();
      return events.take();
    },
    keepAlive: () => (isDone ? '' : SSE_COMMENT),
    finish: ({ encryptedContent, usage }) =>
      complete(() => {
        const item = compactionItem(encryptedContent, id);
        items.addComplete({ ...item, encrypted_content: '' }, item, ['response.compaction.compacting']);
        const done = responseObject({ ...parts, status: 'completed', output: items.finished, usage });
        events.response('response.completed', JSON.stringify(done));
      }),
    fail: (error) =>
      complete(() => {
        const failed = responseObject({ ...parts, status: 'failed', error: responseError(error) });
        events.response('response.failed', JSON.stringify(failed));
      }),
  };
}
