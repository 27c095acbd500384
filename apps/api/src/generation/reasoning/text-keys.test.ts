import { describe, expect, it } from 'vitest';
import { createTextKeys } from './text-keys.ts';

const keys = createTextKeys('sluice');

describe('text keys', () => {
  it('share one hash tag', () => {
    for (const key of Object.values(keys)) expect(key('alice', 'resp_1')).toMatch(/^\{sluice\}:text:[a-z]+:[\w-]{43}$/);
  });

  it('differ by kind, owner, and id', () => {
    const all = Object.values(keys).flatMap((key) => [key('a', 'b'), key('a', 'c'), key('c', 'b')]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('stay short for any client id', () => {
    expect(keys.response('alice', 'x'.repeat(100_000)).length).toBeLessThan(100);
  });
});
