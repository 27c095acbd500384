import type { LossReport } from '@sluice/canonical';
import { asObjects, type JsonObject, objectOrEmpty, ownMember } from '../../json/values.ts';
import { reportUnread } from '../../text/response-losses.ts';

/** Fields that this folder reads. */
const MESSAGE = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);
const STOP_DETAILS = new Set(['type', 'explanation']);
const BLOCKS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(['type', 'text', 'citations']),
  thinking: new Set(['type', 'thinking', 'signature']),
  redacted_thinking: new Set(['type', 'data']),
  tool_use: new Set(['type', 'id', 'name', 'input', 'caller']),
};
const CALLER = new Set(['type']);
const CITATION = new Set(['type', 'url', 'source', 'title', 'document_title', 'file_id', 'cited_text']);
const USAGE = new Set([
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
  'service_tier',
]);
/** Five minutes is the default lifetime, and the other counts have the total. */
const CACHE_CREATION = new Set(['ephemeral_5m_input_tokens']);
const OUTPUT = new Set(['thinking_tokens']);

/** @param message a response, the message of `message_start`, or the `delta` and `usage` of `message_delta` */
export function reportMessage(message: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  reportUnread(message, MESSAGE, '', report);
  reportUnread(objectOrEmpty(message['stop_details']), STOP_DETAILS, 'stop_details.', report);
  const usage = objectOrEmpty(message['usage']);
  reportUnread(usage, USAGE, 'usage.', report);
  reportUnread(objectOrEmpty(usage['cache_creation']), CACHE_CREATION, 'usage.cache_creation.', report);
  reportUnread(objectOrEmpty(usage['output_tokens_details']), OUTPUT, 'usage.output_tokens_details.', report);
}

/** Blocks of unknown types become foreign blocks, which encoders report. */
export function reportBlock(block: JsonObject, report: LossReport | undefined): void {
  const read = ownMember(BLOCKS, block['type']);
  if (!report || !read) return;
  reportUnread(block, read, 'content[].', report);
  const caller = objectOrEmpty(block['caller'])['type'];
  if (caller !== undefined && caller !== 'direct') report({ field: 'response.content[].caller', how: 'dropped' });
  reportUnread(objectOrEmpty(block['caller']), CALLER, 'content[].caller.', report);
  for (const citation of asObjects(block['citations'])) reportCitation(citation, report);
}

export function reportCitation(citation: JsonObject, report: LossReport | undefined): void {
  reportUnread(citation, CITATION, 'content[].citations[].', report);
}
