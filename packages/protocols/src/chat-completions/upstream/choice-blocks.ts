import type { Citation, ContentBlock, MediaBlock, OpaqueToken, StreamEvent, ToolKind } from '@sluice/canonical';
import { asNonEmptyString } from '../../json/values.ts';
import { audioBlock } from './decode-blocks.ts';

/** A tool call fragment. */
export interface CallChunk {
  /** Undefined if the vendor omits it. */
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  kind: ToolKind;
  arguments: string;
  opaqueToken: OpaqueToken | undefined;
}

interface TextItem {
  type: 'text' | 'refusal' | 'reasoning';
  text: string;
  /** Start of the text in the text of the message. */
  offset: number;
  citations?: Citation[];
  opaqueToken?: OpaqueToken;
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
  opaqueToken: OpaqueToken | undefined;
  isClosed: boolean;
}
type Item = TextItem | MediaItem | AudioItem | CallItem;

/**
 * The blocks of one streamed choice, emitted one after the other.
 *
 * Chunks can interleave: a vendor may start a second tool call before the first is complete. The first block in the
 * queue is open, and its deltas are emitted immediately. Later blocks are buffered. A text block ends when another
 * block begins. The protocol has no event for the end of a call. A call ends when its arguments are complete JSON and
 * another block begins, or when the response ends. Methods append the emitted events to `events`.
 */
export class ChoiceBlocks {
  readonly #choice: number;
  readonly #newCallId: () => string;
  readonly #queue: Item[] = [];
  readonly #calls: CallItem[] = [];
  /** Whether the start event of the first queued block was emitted. */
  #isOpen = false;
  #hasRefusal = false;
  /** Length of all text blocks. */
  #textLength = 0;

  constructor(choice: number, newCallId: () => string) {
    this.#choice = choice;
    this.#newCallId = newCallId;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  addText(type: TextItem['type'], chunk: string, events: StreamEvent[]): void {
    this.#hasRefusal ||= type === 'refusal';
    const last = this.#queue.at(-1);
    if (last?.type === type) this.#extend(last, chunk, events);
    else this.#append({ type, text: chunk, offset: this.#textLength }, events);
    if (type === 'text') this.#textLength += chunk.length;
  }

  /**
   * Adds citations, whose ranges are of the message's text, to the blocks that contain the ranges.
   * @returns what is lost because its text has ended
   */
  addCitations(citations: Citation[]): 'citations' | 'range' | undefined {
    const texts = this.#queue.filter((item): item is TextItem => item.type === 'text');
    const last = texts.at(-1);
    if (!last) return citations.length > 0 ? 'citations' : undefined;
    let isRangeLost = false;
    for (const citation of citations) {
      const { start = citation.end === undefined ? undefined : 0, end } = citation;
      const text = start === undefined ? last : texts.findLast(({ offset }) => offset <= start);
      isRangeLost ||= text === undefined;
      const range = text && start !== undefined ? { start: start - text.offset, end: end && end - text.offset } : {};
      (text ?? last).citations ??= [];
      (text ?? last).citations?.push({ ...citation, start: undefined, end: undefined, ...range });
    }
    return isRangeLost ? 'range' : undefined;
  }

  /** Adds a token to the last text block, or to a new empty text block. */
  addTextToken(opaqueToken: OpaqueToken, events: StreamEvent[]): void {
    const text = this.#lastText();
    if (text) text.opaqueToken = opaqueToken;
    else this.#append({ type: 'text', text: '', offset: this.#textLength, opaqueToken }, events);
  }

  addMedia(block: MediaBlock, events: StreamEvent[]): void {
    this.#append({ type: 'media', block }, events);
  }

  /** Each chunk is separately padded base64, so the decoded bytes are joined instead of the text. */
  addAudio(data: string | undefined, transcript: string | undefined, events: StreamEvent[]): void {
    const last = this.#queue.at(-1);
    const item: AudioItem = last?.type === 'audio' ? last : { type: 'audio', bytes: [], transcript: '' };
    if (data !== undefined) item.bytes.push(Buffer.from(data, 'base64'));
    item.transcript += transcript ?? '';
    if (item !== last) this.#append(item, events);
  }

  addCall(chunk: CallChunk, events: StreamEvent[]): void {
    const call = this.#findCall(chunk);
    if (!call) return this.#startCall(chunk, events);
    // The arguments are already complete, so only whitespace can follow.
    if (call.isClosed) return;
    call.callId ??= chunk.id;
    call.name ??= chunk.name;
    if (chunk.opaqueToken) call.opaqueToken = chunk.opaqueToken;
    if (chunk.arguments !== '') this.#extend(call, chunk.arguments, events);
    else if (this.#queue[0] === call && !this.#isOpen) this.#advance(events, false);
  }

  /** Emits all buffered blocks. @returns false if a call has no name */
  finish(events: StreamEvent[]): boolean {
    this.#advance(events, true);
    return this.#queue.length === 0;
  }

  #startCall({ index, id, name, kind, arguments: text, opaqueToken }: CallChunk, events: StreamEvent[]): void {
    const call: CallItem = { type: 'call', index, callId: id, name, kind, text, opaqueToken, isClosed: false };
    this.#calls.push(call);
    this.#append(call, events);
  }

  /** Returns the call that a fragment continues, or undefined if the fragment starts a new call. */
  #findCall({ index, id, name }: CallChunk): CallItem | undefined {
    if (index === undefined) {
      return id === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.callId === id);
    }
    const last = this.#calls.findLast((call) => call.index === index);
    if (!last || name === undefined || last.name === undefined) return last;
    // Some vendors send index 0 for every call. A new id, or a name after complete arguments, then starts a new call.
    const isNew = id === undefined ? isCompleteJson(last.text) : last.callId !== undefined && last.callId !== id;
    return isNew ? undefined : last;
  }

  #lastText(): TextItem | undefined {
    const last = this.#queue.at(-1);
    return last?.type === 'text' ? last : undefined;
  }

  #append(item: Item, events: StreamEvent[]): void {
    this.#queue.push(item);
    this.#advance(events, false);
  }

  #extend(item: TextItem | CallItem, chunk: string, events: StreamEvent[]): void {
    item.text += chunk;
    if (this.#queue[0] !== item) return;
    if (this.#isOpen) events.push({ type: 'delta', choice: this.#choice, text: chunk });
    if (!this.#isOpen || this.#queue.length > 1) this.#advance(events, false);
  }

  /** Opens the first queued block. While that block is finished and another one follows, continues with the next. */
  #advance(events: StreamEvent[], isLast: boolean): void {
    for (;;) {
      const [item] = this.#queue;
      if (!item) return;
      this.#isOpen ||= this.#open(item, events);
      if (!this.#isOpen || (!isLast && (this.#queue.length === 1 || !isFinished(item)))) return;
      events.push({ type: 'block-end', choice: this.#choice, block: blockOf(item) });
      if (item.type === 'call') item.isClosed = true;
      this.#queue.shift();
      this.#isOpen = false;
    }
  }

  /** @returns false if the block cannot start yet */
  #open(item: Item, events: StreamEvent[]): boolean {
    const choice = this.#choice;
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
        // The name may arrive after the id.
        if (item.name === undefined) return false;
        item.callId ??= this.#newCallId();
        const { callId, name, kind } = item;
        events.push({ type: 'block-start', choice, head: { type: 'tool-call', callId, name, kind } });
        break;
      }
    }
    if (item.text !== '') events.push({ type: 'delta', choice, text: item.text });
    return true;
  }
}

function isFinished(item: Item): boolean {
  return item.type !== 'call' || (item.kind === 'function' && isCompleteJson(item.text));
}

/** Runs once per call, when another block is waiting. */
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
      return { type: 'text', text: item.text, citations: item.citations, opaqueToken: item.opaqueToken };
    case 'refusal':
      return { type: 'refusal', text: item.text };
    case 'reasoning':
      return { type: 'reasoning', text: [item.text], isSummary: false };
    case 'media':
      return item.block;
    case 'audio':
      return audioBlock(Buffer.concat(item.bytes).toString('base64'), asNonEmptyString(item.transcript));
    case 'call': {
      const { callId = '', name = '', kind, text, opaqueToken } = item;
      return { type: 'tool-call', callId, name, kind, arguments: text, opaqueToken };
    }
  }
}
