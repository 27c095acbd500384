import type { StreamEvent } from '@sluice/canonical';

/** Describes how events violate the order that `StreamEvent` defines. Returns undefined if the order is valid. */
export function orderError(events: readonly StreamEvent[]): string | undefined {
  const open = new Map<number, { type: string; text: string; isParagraphs: boolean }>();
  const finished = new Set<number>();
  let phase: 'before' | 'blocks' | 'finished' | 'over' = 'before';
  for (const event of events) {
    if (event.type === 'ping') continue;
    if (phase === 'over') return `${event.type} after the end`;
    if (event.type === 'error') phase = 'over';
    else if (event.type === 'start') {
      if (phase !== 'before') return 'a second start';
      phase = 'blocks';
    } else if (phase === 'before') return `${event.type} before the start`;
    else if (event.type === 'usage' || event.type === 'end') {
      if (open.size > 0) return `${event.type} inside a block`;
      if (finished.size === 0) return `${event.type} without a finish`;
      if (event.type === 'end') phase = 'over';
    } else if (event.type === 'service-tier') {
      if (finished.size > 0) return 'service-tier after a finish';
    } else if (finished.has(event.choice)) return `${event.type} after the finish of its choice`;
    else if (event.type === 'block-start') {
      if (open.has(event.choice)) return 'a block inside a block';
      open.set(event.choice, { type: event.head.type, text: '', isParagraphs: false });
    } else if (event.type === 'finish') {
      if (open.has(event.choice)) return 'a finish inside a block';
      finished.add(event.choice);
    } else {
      const block = open.get(event.choice);
      if (!block) return `${event.type} outside of a block`;
      if (event.type === 'delta') {
        block.text += event.text;
        block.isParagraphs ||= event.paragraph !== undefined && event.paragraph > 0;
        continue;
      }
      open.delete(event.choice);
      if (event.block.type !== block.type) return `${block.type} ends as ${event.block.type}`;
      const expected = fullText(event.block);
      if (expected !== undefined && !block.isParagraphs && block.text !== '' && block.text !== expected) {
        return `deltas "${block.text}" add up to "${expected}"`;
      }
    }
  }
  return phase === 'over' ? undefined : 'neither end nor error';
}

function fullText(block: Extract<StreamEvent, { type: 'block-end' }>['block']): string | undefined {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text;
    case 'reasoning':
      return block.text.join('\n\n');
    case 'tool-call':
      return block.arguments;
    case 'media':
    case 'tool-result':
    case 'foreign':
      return undefined;
  }
}
