import type { StreamEvent, TextTarget } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asArray, asNonEmptyString, asNumber, type JsonObject } from '../../json/values.ts';
import { decodeResponseImage } from '../wire/decode-media.ts';
import { reasoningText } from '../wire/decode-reasoning.ts';
import type { ChoiceBlocks } from './choice-blocks.ts';
import { callFields, contentChunks, decodeCitations, signatureToken } from './decode-blocks.ts';

const LOST = {
  citations: 'response.choices[].message.annotations',
  range: 'response.choices[].message.annotations[].url_citation.start_index',
} as const;

/** Adds a chunk's `delta` to its choice's blocks in this order: reasoning, text, calls. */
export function readDelta(
  delta: JsonObject,
  blocks: ChoiceBlocks,
  context: UpstreamResponseContext,
  events: StreamEvent[],
): void {
  const { target } = context;
  const thought = reasoningText(delta);
  if (thought !== undefined) blocks.addText('reasoning', thought, events);
  const content = delta['content'];
  // Hot path: almost every delta contains one string.
  if (typeof content === 'string') {
    if (content !== '') blocks.addText('text', content, events);
  } else {
    for (const { type, text } of contentChunks(content)) blocks.addText(type, text, events);
  }
  const refusal = asNonEmptyString(delta['refusal']);
  if (refusal !== undefined) blocks.addText('refusal', refusal, events);
  if (Array.isArray(delta['annotations'])) {
    const lost = blocks.addCitations(decodeCitations(delta['annotations']));
    if (lost) context.report?.({ field: LOST[lost], how: 'dropped' });
  }
  const token = signatureToken(delta, target);
  if (token) blocks.addTextToken(token, events);
  for (const image of asArray(delta['images'])) {
    const block = decodeResponseImage(image);
    if (block) blocks.addMedia(block, events);
  }
  const audio = delta['audio'];
  if (isRecord(audio)) {
    const data = asNonEmptyString(audio['data']);
    const transcript = asNonEmptyString(audio['transcript']);
    if (data !== undefined || transcript !== undefined) blocks.addAudio(data, transcript, events);
  }
  for (const call of asArray(delta['tool_calls'])) if (isRecord(call)) readCall(call, blocks, target, events);
  if (isRecord(delta['function_call'])) {
    readCall({ index: 0, function: delta['function_call'] }, blocks, target, events);
  }
}

function readCall(call: JsonObject, blocks: ChoiceBlocks, target: TextTarget, events: StreamEvent[]): void {
  const { args, ...fields } = callFields(call, target);
  const text = typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '';
  blocks.addCall({ ...fields, index: asNumber(call['index']), arguments: text }, events);
}
