import type { ContentBlock, StreamEvent } from '@sluice/canonical';
import { blockHead } from './block-head.ts';

/** This protocol supports only one choice. */
const choice = 0;

/**
 * Serializes interleaved blocks. The first open block's events are emitted immediately, and later blocks are buffered.
 */
export class BlockQueue {
  readonly #blocks: BlockBuffer[] = [];

  add(): BlockBuffer {
    const block = new BlockBuffer();
    this.#blocks.push(block);
    return block;
  }

  /** Removes and returns the events that can be emitted now. */
  take(): StreamEvent[] {
    let taken: StreamEvent[] = [];
    for (;;) {
      const [first] = this.#blocks;
      if (!first) return taken;
      const events = first.take();
      taken = taken.length === 0 ? events : [...taken, ...events];
      if (!first.isClosed) return taken;
      this.#blocks.shift();
    }
  }
}

/** Buffers the events of one block. */
export class BlockBuffer {
  #events: StreamEvent[] = [];
  isClosed = false;

  push(...events: readonly StreamEvent[]): void {
    this.#events.push(...events);
  }

  /** Ends the block, so that the next block's events can be emitted. */
  close(): void {
    this.isClosed = true;
  }

  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Returns the events of a complete block. */
export function completeBlockEvents(block: ContentBlock): StreamEvent[] {
  const head = blockHead(block);
  if (!head) return [];
  return [{ type: 'block-start', choice, head }, ...deltasOf(block), { type: 'block-end', choice, block }];
}

function deltasOf(block: ContentBlock): StreamEvent[] {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return [{ type: 'delta', choice, text: block.text }];
    case 'reasoning':
      return block.text.map((text, paragraph) => ({ type: 'delta', choice, text, paragraph }));
    case 'tool-call':
      return block.arguments === '' ? [] : [{ type: 'delta', choice, text: block.arguments }];
    case 'media':
    case 'foreign':
    case 'tool-result':
      return [];
  }
}
