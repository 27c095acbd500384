import type { TaskStats } from '@sluice/tasks';

/** Metrics of the entire deployment in the Prometheus text format. @param now Unix milliseconds */
export function taskMetrics(stats: TaskStats, now: number): string {
  const lines: string[] = [];
  const metric = (name: string, type: string, help: string, samples: [labels: string, value: number][]): void => {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [labels, value] of samples) lines.push(`${name}${labels} ${value}`);
  };
  metric(
    'sluice_tasks',
    'gauge',
    'Stored media tasks by internal state.',
    Object.entries(stats.tasks).map(([status, count]) => [`{status="${status}"}`, count]),
  );
  metric('sluice_task_submissions_total', 'counter', 'Submissions started.', [['', stats.submissions]]);
  metric('sluice_task_submissions_unknown_total', 'counter', 'Submissions with an unknown outcome.', [
    ['', stats.unknowns],
  ]);
  metric('sluice_task_unclear_polls_total', 'counter', 'Polls with an invalid response.', [['', stats.unclearPolls]]);
  metric('sluice_task_fenced_writes_total', 'counter', 'Rejected writes of stale workers.', [['', stats.fencedWrites]]);
  metric('sluice_task_reconciled_total', 'counter', 'Steps that the sweeper had to wake.', [['', stats.reconciled]]);
  metric('sluice_tasks_waiting_for_storage', 'gauge', 'Tasks that wait because the content store is unavailable.', [
    ['', stats.waitingForStorage],
  ]);
  const { buckets, sumMs, count } = stats.lateness;
  lines.push(
    '# HELP sluice_task_step_lateness_seconds Delay of claims of due steps.',
    '# TYPE sluice_task_step_lateness_seconds histogram',
    ...buckets.map(([bound, n]) => `sluice_task_step_lateness_seconds_bucket{le="${bound / 1_000}"} ${n}`),
    `sluice_task_step_lateness_seconds_bucket{le="+Inf"} ${count}`,
    `sluice_task_step_lateness_seconds_sum ${sumMs / 1_000}`,
    `sluice_task_step_lateness_seconds_count ${count}`,
  );
  metric(
    'sluice_task_last_claim_age_seconds',
    'gauge',
    'Time since a worker last claimed a step of the upstream account.',
    Object.entries(stats.lastClaimAt).map(([account, at]) => [
      `{upstream="${account}"}`,
      Math.max(0, now - at) / 1_000,
    ]),
  );
  return `${lines.join('\n')}\n`;
}
