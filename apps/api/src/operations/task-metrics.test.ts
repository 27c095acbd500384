import { createMetrics } from '@sluice/telemetry';
import { expect, it } from 'vitest';
import { taskMetrics } from './task-metrics.ts';

it('writes every metric of the fleet, with durations in seconds', async () => {
  const appended = taskMetrics(
    {
      tasks: { queued: 2, completed: 5 },
      submissions: 7,
      unknowns: 1,
      unclearPolls: 3,
      fencedWrites: 4,
      reconciled: 6,
      waitingForStorage: 2,
      lateness: {
        buckets: [
          [10, 1],
          [1_000, 8],
        ],
        sumMs: 2_500,
        count: 9,
      },
      slots: {
        vendor: { inFlight: { used: 3, max: 4 }, submitting: { used: 1, max: 16 } },
        unlimited: { inFlight: { used: 2 }, submitting: { used: 0, max: 8 } },
      },
      lastClaimAt: { vendor: 10_000, ahead: 20_000 },
    },
    15_000,
  );
  const text = await createMetrics().render({ appended });
  const own = text.slice(text.indexOf('# HELP sluice_tasks '));
  expect(own.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'sluice_tasks{status="queued"} 2',
    'sluice_tasks{status="completed"} 5',
    'sluice_task_submissions_total 7',
    'sluice_task_submissions_unknown_total 1',
    'sluice_task_unclear_polls_total 3',
    'sluice_task_fenced_writes_total 4',
    'sluice_task_reconciled_total 6',
    'sluice_tasks_waiting_for_storage 2',
    'sluice_task_slots{upstream="vendor",slot="in_flight"} 4',
    'sluice_task_slots{upstream="vendor",slot="submitting"} 16',
    'sluice_task_slots{upstream="unlimited",slot="submitting"} 8',
    'sluice_task_slots_used{upstream="vendor",slot="in_flight"} 3',
    'sluice_task_slots_used{upstream="vendor",slot="submitting"} 1',
    'sluice_task_slots_used{upstream="unlimited",slot="in_flight"} 2',
    'sluice_task_slots_used{upstream="unlimited",slot="submitting"} 0',
    'sluice_task_step_lateness_seconds_bucket{le="0.01"} 1',
    'sluice_task_step_lateness_seconds_bucket{le="1"} 8',
    'sluice_task_step_lateness_seconds_bucket{le="+Inf"} 9',
    'sluice_task_step_lateness_seconds_sum 2.5',
    'sluice_task_step_lateness_seconds_count 9',
    'sluice_task_last_claim_age_seconds{upstream="vendor"} 5',
    'sluice_task_last_claim_age_seconds{upstream="ahead"} 0',
  ]);
});
