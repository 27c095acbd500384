import { describe, expect, it } from 'vitest';
import type { UpstreamList } from '@sluice/api/responses';
import { healthOf, inTime } from './upstream-health.ts';

const UPSTREAM: UpstreamList['data'][number] = {
  object: 'upstream',
  name: 'acme',
  kind: 'chat-completions',
  base_url: 'http://127.0.0.1:9/v1',
  credentials: [],
  headers: [],
  models: ['chat'],
  operations: ['text', 'embedding'],
  circuits: [
    { operation: 'text', state: 'closed' },
    { operation: 'embedding', state: 'closed' },
  ],
};
const SLOTS = { in_flight: { used: 0 }, submitting: { used: 0, max: 1 } };

describe('healthOf', () => {
  it('is the worst of the circuit breakers and the pause', () => {
    const tasks = { ...SLOTS, paused_ms: 4_001 };
    const [text] = UPSTREAM.circuits;
    if (!text) throw new Error('The upstream has a circuit breaker.');
    const testing = [text, { operation: 'embedding', state: 'half-open' as const }];
    const open = [...testing, { operation: 'rerank', state: 'open' as const, retry_after_ms: 12_000 }];
    expect(healthOf(UPSTREAM)).toEqual({ health: 'healthy', tone: 'ok', text: 'Healthy' });
    expect(healthOf({ ...UPSTREAM, models: [] })).toMatchObject({ health: 'unused' });
    expect(healthOf({ ...UPSTREAM, tasks })).toMatchObject({ health: 'busy', detail: 'next task in 5 s' });
    expect(healthOf({ ...UPSTREAM, tasks, circuits: testing })).toMatchObject({
      health: 'testing',
      detail: 'embedding',
    });
    expect(healthOf({ ...UPSTREAM, tasks, circuits: open })).toMatchObject({
      health: 'paused',
      detail: 'rerank: next call in 12 s',
    });
  });
});

describe('inTime', () => {
  it.each([
    [0, 'now'],
    [1, 'in 1 s'],
    [9_500, 'in 10 s'],
    [61_000, 'in 1 min 1 s'],
  ])('of %i ms is %s', (ms, text) => {
    expect(inTime(ms)).toBe(text);
  });
});
