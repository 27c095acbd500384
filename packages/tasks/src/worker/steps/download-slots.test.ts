import { describe, expect, it } from 'vitest';
import { DownloadSlots } from './download-slots.ts';

describe('DownloadSlots', () => {
  it("leaves half of each account's steps to polls", () => {
    const slots = new DownloadSlots(4);
    const first = slots.take('a');
    expect(slots.take('a')).toBeDefined();
    expect(slots.take('a')).toBeUndefined();
    expect(slots.take('b')).toBeDefined();
    first?.();
    expect(slots.take('a')).toBeDefined();
  });

  it('always has at least one slot', () => {
    expect(new DownloadSlots(1).take('a')).toBeDefined();
  });
});
