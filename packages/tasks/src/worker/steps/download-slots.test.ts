import { describe, expect, it } from 'vitest';
import { DownloadSlots } from './download-slots.ts';

describe('download slots', () => {
  it('leave half of the steps to polls, per account', () => {
    const slots = new DownloadSlots(4);
    const first = slots.take('a');
    expect(slots.take('a')).toBeDefined();
    expect(slots.take('a')).toBeUndefined();
    expect(slots.take('b')).toBeDefined();
    first?.();
    expect(slots.take('a')).toBeDefined();
  });

  it('are never none', () => {
    expect(new DownloadSlots(1).take('a')).toBeDefined();
  });
});
