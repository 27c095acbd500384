import type { StreamEvent } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { type CallChunk, ChoiceBlocks } from './choice-blocks.ts';

const chunk = (index: number, fields: Partial<CallChunk>): CallChunk => ({
  index,
  id: undefined,
  name: undefined,
  kind: 'function',
  arguments: '',
  opaqueToken: undefined,
  ...fields,
});
const summarize = (events: StreamEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : event.type === 'block-end' ? 'end' : event.type));

describe('ChoiceBlocks', () => {
  it('sends sequential blocks immediately', () => {
    const blocks = new ChoiceBlocks(0, () => 'made');
    const events: StreamEvent[] = [];
    blocks.addText('text', 'a', events);
    expect(summarize(events)).toEqual(['block-start', 'a']);
    blocks.addCall(chunk(0, { id: 'x', name: 'f', arguments: '{' }), events);
    expect(summarize(events)).toEqual(['block-start', 'a', 'end', 'block-start', '{']);
    blocks.addCall(chunk(0, { arguments: '}' }), events);
    expect(blocks.finish(events)).toBe(true);
    expect(summarize(events).slice(5)).toEqual(['}', 'end']);
  });

  it('buffers blocks behind an incomplete call until it completes', () => {
    const blocks = new ChoiceBlocks(0, () => 'made');
    const events: StreamEvent[] = [];
    blocks.addCall(chunk(0, { id: 'x', name: 'f', arguments: '{' }), events);
    blocks.addCall(chunk(1, { id: 'y', name: 'g', arguments: '{}' }), events);
    blocks.addText('text', 'later', events);
    expect(summarize(events)).toEqual(['block-start', '{']);
    blocks.addCall(chunk(0, { arguments: '}' }), events);
    expect(summarize(events).slice(2)).toEqual(['}', 'end', 'block-start', '{}', 'end', 'block-start', 'later']);
  });

  it('buffers blocks behind a custom call until the end, since free text has no known end', () => {
    const blocks = new ChoiceBlocks(0, () => 'made');
    const events: StreamEvent[] = [];
    blocks.addCall(chunk(0, { id: 'x', name: 'f', kind: 'custom', arguments: '{}' }), events);
    blocks.addText('text', 'a', events);
    expect(summarize(events)).toEqual(['block-start', '{}']);
    blocks.finish(events);
    expect(summarize(events).slice(2)).toEqual(['end', 'block-start', 'a', 'end']);
  });

  it('cannot finish with an unnamed call', () => {
    const blocks = new ChoiceBlocks(0, () => 'made');
    blocks.addCall(chunk(0, { id: 'x' }), []);
    expect(blocks.finish([])).toBe(false);
  });
});
