import { describe, expect, it } from 'vitest';
import { createCollector } from './collect-generation.ts';

describe('createCollector', () => {
  it('sorts choices by index, even if a vendor skips indices', () => {
    const collector = createCollector();
    collector.add({ type: 'block-end', choice: 7, block: { type: 'text', text: 'late' } });
    collector.add({ type: 'finish', choice: 7, finish: 'stop' });
    collector.add({ type: 'block-end', choice: 2, block: { type: 'text', text: 'early' } });
    expect(collector.generation().choices).toEqual([
      { content: [{ type: 'text', text: 'early' }], finish: 'other' },
      { content: [{ type: 'text', text: 'late' }], finish: 'stop' },
    ]);
  });

  it('collects only reasoning and calls on request', () => {
    const collector = createCollector('reasoning');
    const call = { type: 'tool-call', callId: 'c', name: 'f', kind: 'function', arguments: '{}' } as const;
    collector.add({ type: 'block-end', choice: 0, block: { type: 'text', text: 'long' } });
    collector.add({ type: 'block-end', choice: 0, block: call });
    expect(collector.generation().choices[0]?.content).toEqual([call]);
  });
});
