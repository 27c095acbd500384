import { describe, expect, it } from 'vitest';
import { credentialState, type PoolCredential } from './credential-state.ts';

const READY: PoolCredential = { name: 'one', weight: 1, state: 'ready', in_flight: 0, limits: {} };

describe('credentialState', () => {
  it.each<[Partial<PoolCredential>, string, string | undefined]>([
    [{}, 'Ready', undefined],
    [{ weight: 0 }, 'Ends', 'No new conversations and tasks'],
    [
      { state: 'resting', reason: 'rate_limited', rest_ms: 11_200 },
      'Rests, next call in 12 s',
      'The vendor limits its rate',
    ],
    [{ state: 'resting', reason: 'budget' }, 'Rests, until its budget changes', 'Its budget is spent'],
    [
      { state: 'rejected', reason: 'rejected', rest_ms: 60_000 },
      'Rejected',
      'The vendor rejects it. Replace it in the configuration',
    ],
    [
      { tasks: { in_flight: { used: 0 }, submitting: { used: 0 }, paused_ms: 4_000 } },
      'Rests, next task in 4 s',
      undefined,
    ],
  ])('describes %j as %s', (fields, text, detail) => {
    expect(credentialState({ ...READY, ...fields })).toMatchObject({ text, ...(detail !== undefined && { detail }) });
  });
});
