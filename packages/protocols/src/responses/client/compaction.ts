import type { GatewayError, Usage } from '@sluice/canonical';
import { SSE_COMMENT } from '../../stream/sse.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { responseParts } from './encode-response.ts';
import { responseError } from '../wire/errors.ts';
import { createEventText } from './event-text.ts';
import { outputItemId } from './item-id.ts';
import { createOutputRow } from './output-row.ts';
import { type ResponseObject, responseObject } from './response-object.ts';
import { encodeUsage, type ResponsesUsage } from '../wire/usage.ts';
import type { JsonObject } from '../../json/values.ts';

/** What `POST /v1/responses/compact` answers. */
export interface CompactedResponse {
  id: string;
  object: 'response.compaction';
  created_at: number;
  output: readonly JsonObject[];
  usage: ResponsesUsage;
}

/** Writes a compacted conversation. @param output the user's messages that are kept, then one compaction item */
export function compactedResponse(parts: {
  id: string;
  createdAt: number;
  output: readonly JsonObject[];
  usage: Usage;
}): CompactedResponse {
  const { id, createdAt, output, usage } = parts;
  return { id, object: 'response.compaction', created_at: createdAt, output, usage: encodeUsage(usage) };
}

/** A conversation's summary, sealed. */
export interface Compaction {
  encryptedContent: string;
  usage: Usage;
}

/** The item that stands for everything before it. @param responseId the answer's that holds it as its first item */
export function compactionItem(encryptedContent: string, responseId: string): JsonObject {
  return { id: outputItemId('compaction', responseId, 0), type: 'compaction', encrypted_content: encryptedContent };
}

/** The whole answer to a `compaction_trigger`: one compaction item and nothing else, as Codex demands. */
export function compactionResponse({ encryptedContent, usage }: Compaction, context: ResponseContext): ResponseObject {
  const id = context.responseId ?? context.newId('resp_');
  const output = [compactionItem(encryptedContent, id)];
  return responseObject({ ...responseParts(context, id), status: 'completed', output, usage });
}

/** The stream that answers a `compaction_trigger`; each method gives the text to send. */
export interface CompactionStream {
  start(): string;
  keepAlive(): string;
  finish(compaction: Compaction): string;
  /** Also before anything was sent. */
  fail(error: GatewayError): string;
}

/** A stream of one compaction item. Nothing follows `finish` or `fail`. */
export function compactionStream(context: ResponseContext): CompactionStream {
  const events = createEventText();
  const id = context.responseId ?? context.newId('resp_');
  const row = createOutputRow(id, events.sink);
  const parts = responseParts(context, id);
  let isStarted = false;
  let isOver = false;

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    const begun = JSON.stringify(responseObject({ ...parts, status: 'in_progress' }));
    events.whole('response.created', begun);
    events.whole('response.in_progress', begun);
  }

  function over(write: () => void): string {
    if (isOver) return '';
    start();
    isOver = true;
    write();
    return events.take();
  }

  return {
    start: () => {
      start();
      return events.take();
    },
    keepAlive: () => (isOver ? '' : SSE_COMMENT),
    finish: ({ encryptedContent, usage }) =>
      over(() => {
        const whole = compactionItem(encryptedContent, id);
        row.addComplete({ ...whole, encrypted_content: '' }, whole, ['response.compaction.compacting']);
        const done = responseObject({ ...parts, status: 'completed', output: row.items, usage });
        events.whole('response.completed', JSON.stringify(done));
      }),
    fail: (error) =>
      over(() => {
        const failed = responseObject({ ...parts, status: 'failed', error: responseError(error) });
        events.whole('response.failed', JSON.stringify(failed));
      }),
  };
}
