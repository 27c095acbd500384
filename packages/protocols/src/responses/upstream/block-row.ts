import type { ContentBlock, StreamEvent } from '@sluice/canonical';

/**
 * Serializes blocks that an upstream streams in parallel: events of the first open block pass at once, later blocks are
 * buffered.
 */
export interface BlockRow {
  /** Appends a block. */
  add(): BlockLane;
  /** Removes and returns the events that may pass now. */
  take(): StreamEvent[];
}

/** Receives the events of one block. */
export interface BlockLane {
  push(event: StreamEvent): void;
  pushAll(events: readonly StreamEvent[]): void;
  /** Ends the block, so that the next one may pass. */
  close(): void;
}

interface Place {
  events: StreamEvent[];
  isClosed: boolean;
}

export function createBlockRow(): BlockRow {
  const places: Place[] = [];
  return {
    add: () => {
      const place: Place = { events: [], isClosed: false };
      places.push(place);
      return {
        push: (event) => {
          place.events.push(event);
        },
        pushAll: (events) => {
          place.events.push(...events);
        },
        close: () => {
          place.isClosed = true;
        },
      };
    },
    take: () => {
      let taken: StreamEvent[] = [];
      for (;;) {
        const [first] = places;
        if (!first) return taken;
        taken = taken.length === 0 ? first.events : [...taken, ...first.events];
        first.events = [];
        if (!first.isClosed) return taken;
        places.shift();
      }
    },
  };
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
