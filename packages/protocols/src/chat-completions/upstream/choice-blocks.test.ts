import type { StreamEvent } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { type ChoiceBlocks, createChoiceBlocks } from './choice-blocks.ts';

type CallChunk = Parameters<ChoiceBlocks['call']>[0];

const chunk = (index: number, fields: Partial<CallChunk>): CallChunk => ({
  index,
  id: undefined,
  name: undefined,
  kind: 'function',
  arguments: '',
  seal: undefined,
  ...fields,
});
const told = (events: StreamEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : event.type === 'block-end' ? 'end' : event.type));

describe('ChoiceBlocks', () => {
  it('sends sequential blocks immediately', () => {
    const blocks = createChoiceBlocks(0, () => 'made');
    const events: StreamEvent[] = [];
    blocks.text('text', 'a', events);
    expect(told(events)).toEqual(['block-start', 'a']);
    blocks.call(chunk(0, { id: 'x', name: 'f', arguments: '{' }), events);
    expect(told(events)).toEqual(['block-start', 'a', 'end', 'block-start', '{']);
    blocks.call(chunk(0, { arguments: '}' }), events);
    expect(blocks.finish(events)).toBe(true);
    expect(told(events).slice(5)).toEqual(['}', 'end']);
  });

  it('buffers blocks behind an incomplete call until it completes', () => {
    const blocks = createChoiceBlocks(0, () => 'made');
    const events: StreamEvent[] = [];
    blocks.call(chunk(0, { id: 'x', name: 'f', arguments: '{' }), events);
    blocks.call(chunk(1, { id: 'y', name: 'g', arguments: '{}' }), events);
    blocks.text('text', 'later', events);
    expect(told(events)).toEqual(['block-start', '{']);
    blocks.call(chunk(0, { arguments: '}' }), events);
    expect(told(events).slice(2)).toEqual(['}', 'end', 'block-start', '{}', 'end', 'block-start', 'later']);
  });

  it('buffers blocks behind a custom call until the end, since free text has no known end', () => {
    const blocks = createChoiceBlocks(0, () => 'made');
    const events: StreamEvent[] = [];
    blocks.call(chunk(0, { id: 'x', name: 'f', kind: 'custom', arguments: '{}' }), events);
    blocks.text('text', 'a', events);
    expect(told(events)).toEqual(['block-start', '{}']);
    blocks.finish(events);
    expect(told(events).slice(2)).toEqual(['end', 'block-start', 'a', 'end']);
  });

  it('cannot finish with an unnamed call', () => {
    const blocks = createChoiceBlocks(0, () => 'made');
    blocks.call(chunk(0, { id: 'x' }), []);
    expect(blocks.finish([])).toBe(false);
  });
});
