import { describe, expect, it } from 'vitest';
import { duration, limitHeaders } from './limit-headers.ts';

describe('duration', () => {
  it.each([
    [0, '0ms'],
    [20, '20ms'],
    [1_000, '1s'],
    [1_500, '1.5s'],
    [59_999, '59.999s'],
    [61_000, '1m1s'],
    [360_000, '6m0s'],
  ])('formats %d as %s', (ms, spelled) => {
    expect(duration(ms)).toBe(spelled);
  });
});

describe('limitHeaders', () => {
  const requests = { limit: 60, remaining: 59, resetMs: 60_500 };
  const at = Date.UTC(2026, 0, 1, 0, 0, 0, 250);

  it("uses OpenAI's headers for the key's rates", () => {
    expect(limitHeaders({ at, requests }, 'chat-completions')).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1m0.5s',
    });
  });

  it("uses Anthropic's headers for the messages protocol", () => {
    expect(limitHeaders({ at, tokens: { limit: 9, remaining: 0, resetMs: 500 } }, 'messages')).toEqual({
      'anthropic-ratelimit-tokens-limit': '9',
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:01Z',
    });
  });
});
