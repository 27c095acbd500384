import type { RefusalBlock, TextBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { encodeAnnotations } from '../wire/annotations.ts';
import { missingText } from '../wire/missing-text.ts';
import { type OutputItems, jsonMembers } from './output-items.ts';
import type { JsonObject } from '../../json/values.ts';

/** Encodes consecutive texts and refusals as parts of one message. */
export interface MessageWriter {
  open(type: 'text' | 'refusal'): void;
  delta(text: string): void;
  close(block: TextBlock | RefusalBlock): void;
  /** @param status `incomplete` if the response was truncated */
  end(status: 'completed' | 'incomplete'): void;
}

interface OpenMessage {
  id: string;
  index: number;
  parts: JsonObject[];
}

interface OpenPart {
  type: 'text' | 'refusal';
  /** The text sent for this part. The part's first event is sent with its first text. */
  text: string;
  members: string;
}

/** The message starts with its first text, so a response without text has no empty message. */
export function createMessageWriter(items: OutputItems, lost: ResponseContext['lost']): MessageWriter {
  let message: OpenMessage | undefined;
  let part: OpenPart | undefined;

  function begin(): OpenMessage {
    const id = items.nextId('message');
    const index = items.begin({ id, type: 'message', role: 'assistant', status: 'in_progress', content: [] });
    return { id, index, parts: [] };
  }

  function position({ id, index, parts }: OpenMessage): JsonObject {
    return { item_id: id, output_index: index, content_index: parts.length };
  }

  function delta(text: string): void {
    if (!part || text === '') return;
    if (part.text === '') {
      message ??= begin();
      const at = position(message);
      items.sink.event('response.content_part.added', { ...at, part: encodePart(part.type, '', []) });
      part.members = jsonMembers(part.type === 'text' ? { ...at, logprobs: [] } : at);
    }
    part.text += text;
    items.sink.delta(
      part.type === 'text' ? 'response.output_text.delta' : 'response.refusal.delta',
      part.members,
      text,
    );
  }

  return {
    open: (type) => {
      part = { type, text: '', members: '' };
    },
    delta,
    close: (block) => {
      if (!part) return;
      delta(missingText(part.text, block.text));
      if (message && part.text !== '') {
        const annotations = block.type === 'text' ? encodeAnnotations(block.citations ?? [], lost) : [];
        closePart(items, position(message), part, annotations);
        message.parts.push(encodePart(part.type, part.text, annotations));
      } else if (block.type === 'text' && block.citations) lost?.('citations');
      part = undefined;
    },
    end: (status) => {
      if (!message) return;
      const { id, index, parts } = message;
      items.finish(index, { id, type: 'message', role: 'assistant', status, content: parts });
      message = undefined;
    },
  };
}

function closePart(
  { sink }: OutputItems,
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
