import { memoryUsage } from 'node:process';
import { describe, expect, it } from 'vitest';
import { releaseStartMemory } from './release-start-memory.ts';

describe('releaseStartMemory', () => {
  it('frees memory that is no longer referenced', () => {
    const before = memoryUsage().heapUsed;
    let waste: unknown[] | undefined = Array.from({ length: 300_000 }, (_none, index) => ({ index, text: `${index}` }));
    const full = memoryUsage().heapUsed;
    expect(waste).toHaveLength(300_000);
    waste = undefined;
    releaseStartMemory();
    expect(memoryUsage().heapUsed - before).toBeLessThan((full - before) / 2);
  });
});
