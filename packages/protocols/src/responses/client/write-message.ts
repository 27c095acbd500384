import type { RefusalBlock, TextBlock } from '@sluice/canonical';
import { encodeAnnotations } from '../wire/annotations.ts';
import { missingText } from '../wire/missing-text.ts';
import { type OutputRow, whereOf } from './output-row.ts';
import type { JsonObject } from '../../json/values.ts';

/** Encodes consecutive texts and refusals as parts of one message. */
export interface MessageWriter {
  open(type: 'text' | 'refusal'): void;
  delta(text: string): void;
  close(block: TextBlock | RefusalBlock): void;
  /** @param status `incomplete` if the response was cut off */
  end(status: 'completed' | 'incomplete'): void;
}

interface OpenMessage {
  id: string;
  index: number;
  parts: JsonObject[];
}

interface OpenPart {
  type: 'text' | 'refusal';
  /** The text sent so far; the part is announced with its first text. */
  text: string;
  where: string;
}

/** The message starts with its first text, so that a response without text has no empty message. */
export function createMessageWriter(row: OutputRow): MessageWriter {
  let message: OpenMessage | undefined;
  let part: OpenPart | undefined;

  function begin(): OpenMessage {
    const id = row.nextId('message');
    const index = row.begin({ id, type: 'message', role: 'assistant', status: 'in_progress', content: [] });
    return { id, index, parts: [] };
  }

  function place({ id, index, parts }: OpenMessage): JsonObject {
    return { item_id: id, output_index: index, content_index: parts.length };
  }

  function delta(text: string): void {
    if (!part || text === '') return;
    if (part.text === '') {
      message ??= begin();
      const at = place(message);
      row.sink.event('response.content_part.added', { ...at, part: encodePart(part.type, '', []) });
      part.where = whereOf(part.type === 'text' ? { ...at, logprobs: [] } : at);
    }
    part.text += text;
    row.sink.delta(part.type === 'text' ? 'response.output_text.delta' : 'response.refusal.delta', part.where, text);
  }

  return {
    open: (type) => {
      part = { type, text: '', where: '' };
    },
    delta,
    close: (block) => {
      if (!part) return;
      delta(missingText(part.text, block.text));
      if (message && part.text !== '') {
        const annotations = block.type === 'text' ? encodeAnnotations(block.citations ?? []) : [];
        closePart(row, place(message), part, annotations);
        message.parts.push(encodePart(part.type, part.text, annotations));
      }
      part = undefined;
    },
    end: (status) => {
      if (!message) return;
      const { id, index, parts } = message;
      row.finish(index, { id, type: 'message', role: 'assistant', status, content: parts });
      message = undefined;
    },
  };
}

function closePart(
  { sink }: OutputRow,
  at: JsonObject,
  { type, text }: OpenPart,
  annotations: readonly unknown[],
): void {
  for (const [index, annotation] of annotations.entries()) {
    sink.event('response.output_text.annotation.added', { ...at, annotation_index: index, annotation });
  }
  if (type === 'text') sink.event('response.output_text.done', { ...at, text, logprobs: [] });
  else sink.event('response.refusal.done', { ...at, refusal: text });
  sink.event('response.content_part.done', { ...at, part: encodePart(type, text, annotations) });
}

function encodePart(type: 'text' | 'refusal', text: string, annotations: readonly unknown[]): JsonObject {
  if (type === 'refusal') return { type: 'refusal', refusal: text };
  return { type: 'output_text', text, annotations, logprobs: [] };
}
