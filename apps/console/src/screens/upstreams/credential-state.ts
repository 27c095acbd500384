import type { UpstreamList } from '@sluice/api/responses';
import { inTime, type UpstreamHealth } from './upstream-health.ts';

export type PoolCredential = NonNullable<UpstreamList['data'][number]['pool']>[number];

const REASONS: Readonly<Record<NonNullable<PoolCredential['reason']>, string>> = {
  rate_limited: 'The vendor limits its rate',
  quota: 'Its quota at the vendor is exhausted',
  rejected: 'The vendor rejects it. Replace it in the configuration',
  budget: 'Its budget is spent',
};

/** Describes whether a credential of a pool gets requests, and why not. */
export function credentialState(credential: PoolCredential): Omit<UpstreamHealth, 'health'> {
  const { state, reason, rest_ms: restMs, weight, tasks } = credential;
  const detail = reason && REASONS[reason];
  if (state === 'rejected') return { tone: 'bad', text: 'Rejected', ...(detail && { detail }) };
  if (state === 'resting') {
    const end = restMs === undefined ? 'until its budget changes' : `next call ${inTime(restMs)}`;
    return { tone: 'warn', text: `Rests, ${end}`, ...(detail && { detail }) };
  }
  if (tasks?.paused_ms !== undefined) return { tone: 'warn', text: `Rests, next task ${inTime(tasks.paused_ms)}` };
  return weight === 0 ? { tone: 'neutral', text: 'Ends', detail: 'No new conversations and tasks' } : READY;
}

const READY = { tone: 'ok', text: 'Ready' } as const;
