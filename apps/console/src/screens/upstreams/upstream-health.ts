import type { UpstreamList } from '@sluice/api/responses';
import { formatDuration } from '../../lib/format.ts';

export const HEALTHS = ['healthy', 'testing', 'busy', 'paused', 'unused'] as const;

export interface UpstreamHealth {
  health: (typeof HEALTHS)[number];
  tone: 'ok' | 'warn' | 'bad' | 'neutral';
  text: string;
  /** Why, and for how long. */
  detail?: string;
}

/** The worst of the circuit breakers and the pause of an upstream. */
export function healthOf({ circuits, tasks, models }: UpstreamList['data'][number]): UpstreamHealth {
  const open = circuits.filter(({ state }) => state === 'open');
  if (open.length > 0) {
    const waits = open.map(({ operation, retry_after_ms: ms = 0 }) => `${operation}: next call ${inTime(ms)}`);
    return { health: 'paused', tone: 'bad', text: 'Paused', detail: waits.join(', ') };
  }
  const testing = circuits.filter(({ state }) => state === 'half-open').map(({ operation }) => operation);
  if (testing.length > 0) return { health: 'testing', tone: 'warn', text: 'Testing', detail: testing.join(', ') };
  if (tasks?.paused_ms !== undefined) {
    return { health: 'busy', tone: 'warn', text: 'Busy', detail: `next task ${inTime(tasks.paused_ms)}` };
  }
  if (models.length === 0) return { health: 'unused', tone: 'neutral', text: 'Not used', detail: 'no model' };
  return { health: 'healthy', tone: 'ok', text: 'Healthy' };
}

/** Returns e.g. `in 12 s`. */
export function inTime(ms: number): string {
  return ms <= 0 ? 'now' : `in ${formatDuration(Math.ceil(ms / 1_000) * 1_000).replace(/\.0+ s$/, ' s')}`;
}
