import type { ContentBlock, StreamEvent } from '@sluice/canonical';

/**
 * Brings blocks that an upstream streams side by side into one row: the one that began first passes at once, the others
 * are held back until their turn.
 */
export interface BlockRow {
  /** A place in the row, in the order of the calls. */
  add(): BlockLane;
  /** The events that may pass now; empties the row of them. */
  take(): StreamEvent[];
}

/** Where one block's events go. */
export interface BlockLane {
  push(event: StreamEvent): void;
  pushAll(events: readonly StreamEvent[]): void;
  /** Nothing follows; the next block's turn has come. */
  close(): void;
}

interface Place {
  events: StreamEvent[];
  isClosed: boolean;
}

/** An empty row. */
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

/** What a decoder wants of each block type at its end, whether it was streamed or came whole. */
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
