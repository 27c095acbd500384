import type { StreamEvent, TextTarget } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { ChoiceBlocks } from './choice-blocks.ts';
import { thoughtSignatureOf } from '../wire/extra-content.ts';
import { contentChunks, decodeCitations, tokenOf } from './decode-blocks.ts';
import { decodeResponseImage } from '../wire/decode-media.ts';
import { reasoningText } from '../wire/decode-reasoning.ts';
import { asNonEmptyString, objectOrEmpty, type JsonObject } from '../../json/values.ts';

/** Adds a chunk's `delta` to the blocks of its choice: reasoning before text before calls. */
export function readDelta(delta: JsonObject, blocks: ChoiceBlocks, target: TextTarget, events: StreamEvent[]): void {
  const thought = reasoningText(delta);
  if (thought !== undefined) blocks.addText('reasoning', thought, events);
  const content = delta['content'];
  if (typeof content === 'string') {
    if (content !== '') blocks.addText('text', content, events);
  } else if (Array.isArray(content)) {
    for (const { type, text } of contentChunks(content)) blocks.addText(type, text, events);
  }
  const refusal = asNonEmptyString(delta['refusal']);
  if (refusal !== undefined) blocks.addText('refusal', refusal, events);
  if (Array.isArray(delta['annotations'])) blocks.addCitations(decodeCitations(delta['annotations']));
  const signature = thoughtSignatureOf(delta);
  if (signature !== undefined) blocks.addTextToken(tokenOf(signature, target), events);
  if (Array.isArray(delta['images'])) {
    for (const image of delta['images']) {
      const block = decodeResponseImage(image);
      if (block) blocks.addMedia(block, events);
    }
  }
  const audio = delta['audio'];
  if (isRecord(audio)) {
    const data = asNonEmptyString(audio['data']);
    const transcript = asNonEmptyString(audio['transcript']);
    if (data !== undefined || transcript !== undefined) blocks.addAudio(data, transcript, events);
  }
  // Some servers send an empty list with every text.
  if (Array.isArray(delta['tool_calls'])) {
    for (const call of delta['tool_calls']) if (isRecord(call)) readCall(call, blocks, target, events);
  }
  if (isRecord(delta['function_call'])) {
    readCall({ index: 0, function: delta['function_call'] }, blocks, target, events);
  }
}

function readCall(call: JsonObject, blocks: ChoiceBlocks, target: TextTarget, events: StreamEvent[]): void {
  const isCustom = isRecord(call['custom']);
  const called = objectOrEmpty(isCustom ? call['custom'] : call['function']);
  const args = called[isCustom ? 'input' : 'arguments'];
  const signature = thoughtSignatureOf(call);
  blocks.addCall(
    {
      index: typeof call['index'] === 'number' ? call['index'] : undefined,
      id: asNonEmptyString(call['id']),
      name: asNonEmptyString(called['name']),
      kind: isCustom ? 'custom' : 'function',
      arguments: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
      opaqueToken: signature === undefined ? undefined : tokenOf(signature, target),
    },
    events,
  );
}
