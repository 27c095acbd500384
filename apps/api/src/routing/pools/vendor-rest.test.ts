import { describe, expect, it } from 'vitest';
import { exhaustedMs, googleQuotaRest } from './vendor-rest.ts';

const NOW = Date.UTC(2026, 6, 1, 12);

describe('exhaustedMs', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['OpenAI requests', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    ['OpenAI tokens', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20ms' }, 20],
    ['a fraction', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1h2m0.5s' }, 3_720_500],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-07-01T12:00:09Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-07-01T12:00:30Z',
      },
      30_000,
    ],
    ['something left', { 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '6m0s' }, undefined],
    ['no reset', { 'x-ratelimit-remaining-requests': '0' }, undefined],
    ['nonsense', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'soon' }, undefined],
    [
      'a reset in the past',
      { 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:00Z' },
      0,
    ],
  ])('reads %s', (_what, headers, expected) => {
    expect(exhaustedMs(headers, NOW)).toBe(expected);
  });
});

function error(quotaId: string) {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] }];
  return { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details } };
}

describe('googleQuotaRest', () => {
  it('rests until midnight in the Pacific time zone after a daily quota', () => {
    const rest = googleQuotaRest(error('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), NOW);
    // 05:00 in Los Angeles in summer.
    expect(rest).toEqual({ reason: 'quota', ms: 19 * 3_600_000 });
  });

  it('ignores quotas per minute and other bodies', () => {
    expect(googleQuotaRest(error('GenerateRequestsPerMinutePerProjectPerModel'), NOW)).toBeUndefined();
    expect(googleQuotaRest('PerDay', NOW)).toBeUndefined();
  });
});
