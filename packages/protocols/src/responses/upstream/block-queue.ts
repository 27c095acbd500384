import type { ContentBlock, StreamEvent } from '@sluice/canonical';

/**
 * Serializes blocks that an upstream streams in parallel: events of the first open block pass at once, later blocks are
 * buffered.
 */
export class BlockQueue {
  readonly #blocks: BlockBuffer[] = [];

  /** Appends a block. */
  add(): BlockBuffer {
    const block = new BlockBuffer();
    this.#blocks.push(block);
    return block;
  }

  /** Removes and returns the events that may pass now. */
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

/** The events of one block that were not sent yet. */
export class BlockBuffer {
  #events: StreamEvent[] = [];
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(event: StreamEvent): void {
    this.#events.push(event);
  }

  pushAll(events: readonly StreamEvent[]): void {
    this.#events.push(...events);
  }

  /** Ends the block, so that the next one may pass. */
  close(): void {
    this.#isClosed = true;
  }

  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** The events of a complete block. */
export function completeBlockEvents(block: ContentBlock): StreamEvent[] {
  const choice = 0;
  switch (block.type) {
    case 'text':
    case 'refusal':
      return [
        { type: 'block-start', choice, head: { type: block.type } },
        { type: 'delta', choice, text: block.text },
        { type: 'block-end', choice, block },
      ];
    case 'reasoning': {
      const { isSummary, redacted, id, text } = block;
      return [
        {
          type: 'block-start',
          choice,
          head: {
            type: 'reasoning',
            isSummary,
            ...(redacted === true && { redacted }),
            ...(id !== undefined && { id }),
          },
        },
        ...text.map((paragraph, index): StreamEvent => ({ type: 'delta', choice, text: paragraph, paragraph: index })),
        { type: 'block-end', choice, block },
      ];
    }
    case 'tool-call': {
      const { callId, name, kind, arguments: text } = block;
      return [
        { type: 'block-start', choice, head: { type: 'tool-call', callId, name, kind } },
        ...(text === '' ? [] : [{ type: 'delta' as const, choice, text }]),
        { type: 'block-end', choice, block },
      ];
    }
    case 'media':
    case 'foreign':
      return [
        { type: 'block-start', choice, head: { type: block.type } },
        { type: 'block-end', choice, block },
      ];
    case 'tool-result':
      return [];
  }
}
