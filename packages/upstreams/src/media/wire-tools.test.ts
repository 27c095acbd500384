import { describe, expect, it } from 'vitest';
import { mediaContext } from '../../test/media-context.ts';
import { mediaJob } from '../../test/media-rig.ts';
import { wireTools } from './wire-tools.ts';

const NOW = 1_767_323_045_000;
const ACCOUNT = {
  kind: 'any',
  base_url: 'https://vendor-host/v1',
  api_key: 'key-abc',
  access_key: 'access-abc',
  secret_key: 'secret-abc',
};
const TIMEOUTS = { submitMs: 1, pollMs: 1, downloadIdleMs: 1 };

const response = (headers: Record<string, string>) => ({ status: 429, headers, body: undefined });
const job = (ageMs: number) => mediaJob('https://vendor-host', { acceptedAt: NOW - ageMs });

function tools(more: object = {}) {
  return wireTools(ACCOUNT, mediaContext([], { now: () => NOW, timeouts: { ...TIMEOUTS, ...more } }));
}

describe('reason', () => {
  it('contains no key, host, or id', () => {
    const lost = mediaJob('https://other-host/v1', { upstreamId: 'up 1' });
    const text = 'key-abc access-abc secret-abc at vendor-host, other-host: job up 1';
    expect(tools().reason(text, 'none', lost)).toBe('[hidden] [hidden] [hidden] at [hidden], [hidden]: job [hidden]');
  });

  it.each([undefined, '', ' \n'])('is the fallback if the vendor sends no text: %j', (text) => {
    expect(tools().reason(text, 'No reason')).toBe('No reason');
  });
});

it('returns the vendor’s retry delay', () => {
  expect(tools().retryDelay(response({ 'retry-after': '2' }))).toEqual({ retryAfterMs: 2000 });
  expect(tools().retryDelay(response({}))).toEqual({});
});

it('treats a job as young for five minutes', () => {
  expect(tools().isYoung(job(299_999))).toBe(true);
  expect(tools().isYoung(job(300_000))).toBe(false);
});

it('trusts a lookup once the vendor had time to list the job', () => {
  expect([tools().isLookupConclusive(NOW - 44_999), tools().isLookupConclusive(NOW - 45_000)]).toEqual([false, true]);
  const quick = tools({ lookUpMs: 10 });
  expect([quick.isLookupConclusive(NOW - 9), quick.isLookupConclusive(NOW - 10)]).toEqual([false, true]);
});

it('gives an image three minutes by default', () => {
  expect(tools().imageMs).toBe(180_000);
  expect(tools({ imageMs: 5 }).imageMs).toBe(5);
  expect(tools().now()).toBe(NOW);
});
