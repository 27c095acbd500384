import type { LossReport } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asObjects, type JsonObject, objectOrEmpty, ownMember } from '../../json/values.ts';
import { hasContent } from '../../text/response-losses.ts';

/** The fields that this folder reads: `true` for a value, or the fields of an object or of the objects in a list. */
interface Shape {
  [field: string]: true | Shape;
}

const CITATION: Shape = {
  title: true,
  source: true,
  sourceContent: { text: true },
  location: { web: { url: true } },
};
const BLOCK: Shape = {
  text: true,
  toolUse: { toolUseId: true, name: true, input: true, type: true },
  reasoningContent: { reasoningText: { text: true, signature: true }, redactedContent: true },
  citationsContent: { content: { text: true }, citations: CITATION },
  image: { format: true, source: { bytes: true } },
};
/** `p` is padding, and `metrics` the latency, which the gateway measures itself. */
const RESPONSE: Shape = {
  output: { message: { role: true, content: true } },
  stopReason: true,
  usage: {
    inputTokens: true,
    outputTokens: true,
    totalTokens: true,
    cacheReadInputTokens: true,
    cacheWriteInputTokens: true,
    cacheDetails: { ttl: true, inputTokens: true },
  },
  metrics: { latencyMs: true },
  serviceTier: { type: true },
  additionalModelResponseFields: { stop_sequence: true },
  p: true,
};
const CONTENT = 'response.output.message.content[].';

/** @param response a response, or the event `messageStop` or `metadata` */
export function reportResponse(response: JsonObject, report: LossReport | undefined): void {
  if (report) reportUnread(response, RESPONSE, 'response.', report);
}

/** Blocks of unknown types become foreign blocks, which encoders report. */
export function reportBlock(block: JsonObject, report: LossReport | undefined): void {
  if (report && Object.keys(block).some((type) => ownMember(BLOCK, type))) reportUnread(block, BLOCK, CONTENT, report);
}

/** Reports the unread fields of a delta of text, which can also contain a citation. */
export function reportTextDelta(delta: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  const { citation, ...block } = delta;
  reportBlock({ text: '', ...block }, report);
  if (isRecord(citation)) reportUnread(citation, CITATION, `${CONTENT}citationsContent.citations[].`, report);
}

/** A delta has no object around the text and the signature, so their other siblings have no path of their own. */
export function reportReasoningDelta(delta: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  reportBlock({ ...delta, reasoningContent: {} }, report);
  const {
    text: _text,
    signature: _signature,
    redactedContent: _data,
    ...unread
  } = objectOrEmpty(delta['reasoningContent']);
  if (hasContent(unread)) report({ field: `${CONTENT}reasoningContent`, how: 'dropped' });
}

function reportUnread(fields: JsonObject, shape: Shape, path: string, report: LossReport): void {
  for (const [key, value] of Object.entries(fields)) {
    const read = ownMember(shape, key);
    if (read === undefined) {
      if (hasContent(value)) report({ field: `${path}${key}`, how: 'dropped' });
    } else if (read !== true) {
      const isList = Array.isArray(value);
      for (const inner of isList ? asObjects(value) : isRecord(value) ? [value] : []) {
        reportUnread(inner, read, `${path}${key}${isList ? '[]' : ''}.`, report);
      }
    }
  }
}
