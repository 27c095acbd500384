import type { LossReport } from '@sluice/canonical';
import { asObjects, type JsonObject, objectOrEmpty, ownMember } from '../../json/values.ts';
import { hasContent, kindName, reportUnread } from '../../text/response-losses.ts';

/** Fields that this folder reads. */
const READ = [
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'error',
  'model',
  'output',
  'usage',
  'service_tier',
];
/** Fields that repeat the request. */
const REPEATED = [
  'instructions',
  'parallel_tool_calls',
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'tool_choice',
  'tools',
  'text',
  'reasoning',
  'truncation',
  'previous_response_id',
  'conversation',
  'store',
  'background',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
  'user',
];
const RESPONSE = new Set([...READ, ...REPEATED, 'incomplete_details', 'output_text']);
const USAGE = new Set([
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'input_tokens_details',
  'output_tokens_details',
  'prompt_tokens',
  'completion_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
]);
const INPUT = new Set(['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens', 'text_tokens']);
const OUTPUT = new Set(['reasoning_tokens', 'audio_tokens', 'text_tokens']);
const ITEMS: Readonly<Record<string, ReadonlySet<string>>> = {
  message: new Set(['id', 'type', 'status', 'role', 'content']),
  reasoning: new Set(['id', 'type', 'status', 'summary', 'content', 'encrypted_content']),
  function_call: new Set(['id', 'type', 'status', 'call_id', 'name', 'namespace', 'arguments']),
  custom_tool_call: new Set(['id', 'type', 'status', 'call_id', 'name', 'namespace', 'input']),
  image_generation_call: new Set(['id', 'type', 'status', 'result', 'output_format']),
};
const TEXT = new Set(['type', 'text', 'annotations']);
const REASONING = new Set(['type', 'text']);
const REFUSAL = new Set(['type', 'refusal']);
const ANNOTATIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  url_citation: new Set(['type', 'url', 'title', 'start_index', 'end_index']),
  // The index numbers the files of the vendor's search, which is not part of the response.
  file_citation: new Set(['type', 'file_id', 'filename', 'index']),
  container_file_citation: new Set(['type', 'file_id', 'filename', 'start_index', 'end_index']),
  file_path: new Set(['type', 'file_id', 'index']),
};

/** Reports the fields of a response in its final state. Its items are reported separately. */
export function reportResponse(response: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  reportUnread(response, RESPONSE, '', report);
  const { reason } = objectOrEmpty(response['incomplete_details']);
  if (reason !== undefined && reason !== 'max_output_tokens' && reason !== 'content_filter') {
    report({ field: 'response.incomplete_details.reason', how: 'replaced' });
  }
  const usage = objectOrEmpty(response['usage']);
  reportUnread(usage, USAGE, 'usage.', report);
  for (const field of ['input_tokens_details', 'prompt_tokens_details']) {
    reportUnread(objectOrEmpty(usage[field]), INPUT, `usage.${field}.`, report);
  }
  for (const field of ['output_tokens_details', 'completion_tokens_details']) {
    reportUnread(objectOrEmpty(usage[field]), OUTPUT, `usage.${field}.`, report);
  }
}

/** @param item a finished item; items of unknown types become foreign blocks, which encoders report */
export function reportItem(item: JsonObject, report: LossReport | undefined): void {
  const read = ownMember(ITEMS, item['type']);
  if (!report || !read) return;
  reportUnread(item, read, 'output[].', report);
  if (item['type'] === 'message') for (const part of asObjects(item['content'])) reportPart(part, report);
  for (const field of ['summary', 'content']) {
    if (item['type'] !== 'reasoning') break;
    for (const part of asObjects(item[field])) reportUnread(part, REASONING, `output[].${field}[].`, report);
  }
  // Only one of the two is read.
  if (item['type'] === 'reasoning' && hasContent(item['content']) && hasContent(item['summary'])) {
    report({ field: 'response.output[].summary', how: 'dropped' });
  }
}

function reportPart(part: JsonObject, report: LossReport): void {
  const { type } = part;
  if (type === 'refusal') return reportUnread(part, REFUSAL, 'output[].content[].', report);
  if (type !== 'output_text') return report({ field: `response.output[].content[${kindName(type)}]`, how: 'dropped' });
  reportUnread(part, TEXT, 'output[].content[].', report);
  for (const annotation of asObjects(part['annotations'])) reportAnnotation(annotation, report);
}

export function reportAnnotation(annotation: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  const read = ownMember(ANNOTATIONS, annotation['type']);
  const path = 'output[].content[].annotations';
  if (read) reportUnread(annotation, read, `${path}[].`, report);
  else report({ field: `response.${path}[${kindName(annotation['type'])}]`, how: 'dropped' });
}
