import type { LossReport } from '@sluice/canonical';
import { asObjects, type JsonObject, objectOrEmpty } from '../../json/values.ts';
import { hasContent, kindName, reportUnread } from '../../text/response-losses.ts';

/** Fields not reported as unread: those that the code in this folder reads, plus ids, timestamps, and padding. */
const COMPLETION = new Set([
  'id',
  'object',
  'created',
  'model',
  'system_fingerprint',
  'choices',
  'usage',
  'service_tier',
  'obfuscation',
]);
const CHOICE = new Set(['index', 'message', 'delta', 'finish_reason', 'stop_reason', 'usage', 'error']);
const MESSAGE = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'annotations',
  'images',
  'audio',
  'tool_calls',
  'function_call',
  'extra_content',
]);
const AUDIO = new Set(['id', 'data', 'transcript', 'expires_at']);
const IMAGE = new Set(['type', 'index', 'image_url']);
const IMAGE_URL = new Set(['url']);
const CALL = new Set(['id', 'index', 'type', 'function', 'custom', 'extra_content']);
const FUNCTION = new Set(['name', 'arguments']);
const CUSTOM = new Set(['name', 'input']);
const EXTRA = new Set(['google']);
const GOOGLE = new Set(['thought_signature']);
const PART = new Set(['type', 'text', 'thinking']);
const ANNOTATION = new Set(['type', 'url_citation']);
const URL_CITATION = new Set(['start_index', 'end_index', 'title', 'url', 'content']);
const USAGE = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
  'prompt_cache_hit_tokens',
  'prompt_cache_miss_tokens',
]);
const INPUT = new Set(['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens', 'text_tokens']);
const OUTPUT = new Set(['reasoning_tokens', 'audio_tokens', 'text_tokens']);

/** @param completion a response or a chunk */
export function reportCompletion(completion: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  reportUnread(completion, COMPLETION, '', report);
  reportUsage(completion['usage'], 'usage.', report);
}

/** @param delta the choice's message or delta */
export function reportChoice(choice: JsonObject, delta: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  reportUnread(choice, CHOICE, 'choices[].', report);
  reportUsage(choice['usage'], 'choices[].usage.', report);
  const path = 'choices[].message.';
  reportUnread(delta, MESSAGE, path, report);
  for (const part of asObjects(delta['content'])) reportPart(part, report);
  reportExtra(delta, path, report);
  if (delta['audio']) reportUnread(objectOrEmpty(delta['audio']), AUDIO, `${path}audio.`, report);
  for (const annotation of asObjects(delta['annotations'])) {
    reportUnread(annotation, ANNOTATION, `${path}annotations[].`, report);
    reportUnread(objectOrEmpty(annotation['url_citation']), URL_CITATION, `${path}annotations[].url_citation.`, report);
  }
  for (const image of asObjects(delta['images'])) {
    reportUnread(image, IMAGE, `${path}images[].`, report);
    reportUnread(objectOrEmpty(image['image_url']), IMAGE_URL, `${path}images[].image_url.`, report);
  }
  for (const call of asObjects(delta['tool_calls'])) {
    reportUnread(call, CALL, `${path}tool_calls[].`, report);
    reportUnread(objectOrEmpty(call['function']), FUNCTION, `${path}tool_calls[].function.`, report);
    reportUnread(objectOrEmpty(call['custom']), CUSTOM, `${path}tool_calls[].custom.`, report);
    reportExtra(call, `${path}tool_calls[].`, report);
  }
}

/** Reports a `stop_reason` that is not the stop sequence, e.g. the number of a token. */
export function reportStopReason(choice: JsonObject, report: LossReport | undefined): void {
  if (hasContent(choice['stop_reason'])) report?.({ field: 'response.choices[].stop_reason', how: 'dropped' });
}

function reportPart(part: JsonObject, report: LossReport): void {
  const { type } = part;
  if (type !== 'thinking' && typeof part['text'] !== 'string') {
    report({ field: `response.choices[].message.content[${kindName(type)}]`, how: 'dropped' });
  } else reportUnread(part, PART, 'choices[].message.content[].', report);
}

function reportExtra(holder: JsonObject, path: string, report: LossReport): void {
  const extra = objectOrEmpty(holder['extra_content']);
  reportUnread(extra, EXTRA, `${path}extra_content.`, report);
  reportUnread(objectOrEmpty(extra['google']), GOOGLE, `${path}extra_content.google.`, report);
}

function reportUsage(value: unknown, path: string, report: LossReport): void {
  const usage = objectOrEmpty(value);
  reportUnread(usage, USAGE, path, report);
  reportUnread(objectOrEmpty(usage['prompt_tokens_details']), INPUT, `${path}prompt_tokens_details.`, report);
  reportUnread(objectOrEmpty(usage['completion_tokens_details']), OUTPUT, `${path}completion_tokens_details.`, report);
}
