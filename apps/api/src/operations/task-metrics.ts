import type { SlotUse, TaskStats } from '@sluice/tasks';
import type { MetricFamily } from '@sluice/telemetry';
import { counter, gauge, histogram, type Sample } from './families.ts';

/** Metrics of the entire deployment. @param now Unix milliseconds */
export function taskMetrics(stats: TaskStats, now: number): MetricFamily[] {
  const { buckets, sumMs, count } = stats.lateness;
  return [
    gauge('sluice_tasks', 'Stored media tasks by internal state.', samples(stats.tasks, 'status')),
    counter('sluice_task_submissions_total', 'Submissions started.', stats.submissions),
    counter('sluice_task_submissions_unknown_total', 'Submissions with an unknown outcome.', stats.unknowns),
    counter('sluice_task_unclear_polls_total', 'Polls with an invalid response.', stats.unclearPolls),
    counter('sluice_task_fenced_writes_total', 'Rejected writes of stale workers.', stats.fencedWrites),
    counter('sluice_task_reconciled_total', 'Steps that the sweeper had to wake.', stats.reconciled),
    gauge(
      'sluice_tasks_waiting_for_storage',
      'Tasks that wait because the content store is unavailable.',
      stats.waitingForStorage,
    ),
    gauge(
      'sluice_task_slots',
      'Maximum number of tasks of the upstream account that run, or are submitted, at once.',
      slotSamples(stats.slots, ({ max }) => max),
    ),
    gauge(
      'sluice_task_slots_used',
      'Tasks of the upstream account that run, or are submitted.',
      slotSamples(stats.slots, ({ used }) => used),
    ),
    histogram('sluice_task_step_lateness_seconds', 'Delay of claims of due steps.', {
      buckets: buckets.map(([bound, n]) => [bound / 1_000, n]),
      sum: sumMs / 1_000,
      count,
    }),
    gauge(
      'sluice_task_last_claim_age_seconds',
      'Time since a worker last claimed a step of the upstream account.',
      Object.entries(stats.lastClaimAt).map(([upstream, at]) => ({
        labels: { upstream },
        value: Math.max(0, now - at) / 1_000,
      })),
    ),
  ];
}

function samples(values: Readonly<Record<string, number>>, label: string): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function slotSamples(slots: TaskStats['slots'], valueOf: (use: SlotUse) => number | undefined): Sample[] {
  return Object.entries(slots).flatMap(([upstream, { inFlight, submitting }]) =>
    Object.entries({ in_flight: inFlight, submitting }).flatMap(([slot, use]) => {
      const value = valueOf(use);
      return value === undefined ? [] : [{ labels: { upstream, slot }, value }];
    }),
  );
}
