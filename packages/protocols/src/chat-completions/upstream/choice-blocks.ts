import type { Citation, ContentBlock, MediaBlock, OpaqueToken, StreamEvent, ToolKind } from '@sluice/canonical';
import { audioBlock } from './decode-blocks.ts';

/**
 * The blocks of one choice of a stream, emitted one after the other.
 *
 * Chunks arrive in any order: a vendor may start a second tool call before the first is complete. The first block of
 * the
 * queue is open and its deltas pass at once; later blocks are buffered. A text ends when another block begins. A call
 * ends
 * when its arguments are complete JSON and another block begins, or at the end of the response, because the protocol
 * has
 * no event for it.
 */
export interface ChoiceBlocks {
  text(type: 'text' | 'refusal' | 'reasoning', chunk: string, events: StreamEvent[]): void;
  /** Adds citations to the last text. */
  cite(citations: Citation[]): void;
  /** Adds an opaque token to the last text. */
  encodeText(seal: OpaqueToken, events: StreamEvent[]): void;
  /** Adds a complete medium. */
  media(block: MediaBlock, events: StreamEvent[]): void;
  /** Adds audio. Each chunk is base64 by itself. */
  audio(data: string | undefined, transcript: string | undefined, events: StreamEvent[]): void;
  call(chunk: CallChunk, events: StreamEvent[]): void;
  /** Emits all buffered blocks. @returns false if a call has no name */
  finish(events: StreamEvent[]): boolean;
  readonly hasCalls: boolean;
  readonly hasRefusal: boolean;
}

interface CallChunk {
  /** Undefined if the vendor sends none. */
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  kind: ToolKind;
  arguments: string;
  seal: OpaqueToken | undefined;
}

interface TextItem {
  type: 'text' | 'refusal' | 'reasoning';
  text: string;
  citations?: Citation[];
  seal?: OpaqueToken;
}
interface MediaItem {
  type: 'media';
  block: MediaBlock;
}
interface AudioItem {
  type: 'audio';
  bytes: Buffer[];
  transcript: string;
}
interface CallItem {
  type: 'call';
  index: number | undefined;
  callId: string | undefined;
  name: string | undefined;
  kind: ToolKind;
  text: string;
  seal?: OpaqueToken;
  isClosed: boolean;
}
type Item = TextItem | MediaItem | AudioItem | CallItem;

/** @param newCallId creates an id for a call without one */
export function createChoiceBlocks(choice: number, newCallId: () => string): ChoiceBlocks {
  const queue: Item[] = [];
  const calls: CallItem[] = [];
  /** Whether the first block of the queue has started. */
  let isOpen = false;
  let hasRefusal = false;

  function open(item: Item, events: StreamEvent[]): boolean {
    switch (item.type) {
      case 'text':
      case 'refusal':
        events.push({ type: 'block-start', choice, head: { type: item.type } });
        break;
      case 'reasoning':
        events.push({ type: 'block-start', choice, head: { type: 'reasoning', isSummary: false } });
        break;
      case 'media':
      case 'audio':
        events.push({ type: 'block-start', choice, head: { type: 'media' } });
        return true;
      case 'call': {
        // The name may follow the id.
        if (item.name === undefined) return false;
        item.callId ??= newCallId();
        const { callId, name, kind } = item;
        events.push({ type: 'block-start', choice, head: { type: 'tool-call', callId, name, kind } });
        break;
      }
    }
    if (item.text !== '') events.push({ type: 'delta', choice, text: item.text });
    return true;
  }

  /** Starts the first block of the queue, and continues with the next while a finished block is followed by another. */
  function advance(events: StreamEvent[], isLast: boolean): void {
    for (;;) {
      const [item] = queue;
      if (!item) return;
      isOpen ||= open(item, events);
      if (!isOpen || (!isLast && (queue.length === 1 || !isOver(item)))) return;
      events.push({ type: 'block-end', choice, block: blockOf(item) });
      if (item.type === 'call') item.isClosed = true;
      queue.shift();
      isOpen = false;
    }
  }

  function append(item: Item, events: StreamEvent[]): void {
    queue.push(item);
    advance(events, false);
  }

  function extend(item: TextItem | CallItem, chunk: string, events: StreamEvent[]): void {
    item.text += chunk;
    if (queue[0] !== item) return;
    if (isOpen) events.push({ type: 'delta', choice, text: chunk });
    if (!isOpen || queue.length > 1) advance(events, false);
  }

  function lastText(): TextItem | undefined {
    const last = queue.at(-1);
    return last?.type === 'text' ? last : undefined;
  }

  function findCall({ index, id, name }: CallChunk): CallItem | undefined {
    if (index === undefined) {
      return id === undefined ? calls.at(-1) : calls.findLast((call) => call.callId === id);
    }
    const found = calls.findLast((call) => call.index === index);
    if (!found || name === undefined || found.name === undefined) return found;
    // Some vendors send index 0 for every call. A new id starts a new call, and so does a name after complete
    // arguments.
    const isOther = id === undefined ? isCompleteJson(found.text) : found.callId !== undefined && found.callId !== id;
    return isOther ? undefined : found;
  }

  return {
    text: (type, chunk, events) => {
      hasRefusal ||= type === 'refusal';
      const last = queue.at(-1);
      if (last?.type === type) extend(last, chunk, events);
      else append({ type, text: chunk }, events);
    },
    cite: (citations) => {
      const text = lastText();
      if (text) text.citations = [...(text.citations ?? []), ...citations];
    },
    encodeText: (seal, events) => {
      const text = lastText();
      if (text) text.seal = seal;
      else append({ type: 'text', text: '', seal }, events);
    },
    media: (block, events) => append({ type: 'media', block }, events),
    audio: (data, transcript, events) => {
      const last = queue.at(-1);
      const item: AudioItem = last?.type === 'audio' ? last : { type: 'audio', bytes: [], transcript: '' };
      // Each chunk is base64 by itself, so the bytes are joined, not the text.
      if (data !== undefined) item.bytes.push(Buffer.from(data, 'base64'));
      item.transcript += transcript ?? '';
      if (item !== last) append(item, events);
    },
    call: (chunk, events) => {
      const known = findCall(chunk);
      if (!known) {
        const { index, id, name, kind, arguments: text, seal } = chunk;
        const item: CallItem = {
          type: 'call',
          index,
          callId: id,
          name,
          kind,
          text,
          isClosed: false,
          ...(seal && { seal }),
        };
        calls.push(item);
        append(item, events);
        return;
      }
      // The call is finished: its arguments were complete, so only blanks can follow.
      if (known.isClosed) return;
      known.callId ??= chunk.id;
      known.name ??= chunk.name;
      if (chunk.seal) known.seal = chunk.seal;
      if (chunk.arguments !== '') extend(known, chunk.arguments, events);
      else if (queue[0] === known && !isOpen) advance(events, false);
    },
    finish: (events) => {
      advance(events, true);
      return queue.length === 0;
    },
    get hasCalls() {
      return calls.length > 0;
    },
    get hasRefusal() {
      return hasRefusal;
    },
  };
}

function isOver(item: Item): boolean {
  return item.type !== 'call' || (item.kind === 'function' && isCompleteJson(item.text));
}

/** Runs once per call, when the next block is waiting. */
function isCompleteJson(text: string): boolean {
  if (!/[}\]"]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function blockOf(item: Item): ContentBlock {
  switch (item.type) {
    case 'text':
      return {
        type: 'text',
        text: item.text,
        ...(item.citations && { citations: item.citations }),
        ...(item.seal && { seal: item.seal }),
      };
    case 'refusal':
      return { type: 'refusal', text: item.text };
    case 'reasoning':
      return { type: 'reasoning', text: [item.text], isSummary: false };
    case 'media':
      return item.block;
    case 'audio':
      return audioBlock(
        Buffer.concat(item.bytes).toString('base64'),
        item.transcript === '' ? undefined : item.transcript,
      );
    case 'call': {
      const { callId = '', name = '', kind, text, seal } = item;
      return { type: 'tool-call', callId, name, kind, arguments: text, ...(seal && { seal }) };
    }
  }
}
