import { ConfigSchema, modelCatalog } from '@sluice/config';
import type { ObservedTask } from '@sluice/tasks';
import { createWorkerMetrics } from '@sluice/telemetry';
import { expect, it } from 'vitest';
import { observeTasks } from './observe-tasks.ts';

const routes = [{ upstream: 'vendor', model: '*' }];
const catalog = modelCatalog(ConfigSchema.parse({ models: [{ id: 'clip-*', routes }] }));
const task: ObservedTask = {
  model: 'clip-7',
  upstream: 'vendor',
  ownerId: 'alice',
  kind: 'video',
  status: 'completed',
};

it.each<[string, Partial<ObservedTask>, number | undefined]>([
  ['a task has the cost that its key is charged', { costNanos: 3.5e9 }, 3.5],
  ['a canceled task has it too', { costNanos: 1, status: 'canceled' }, 1e-9],
  ['a free task has none', { costNanos: 0, status: 'failed' }, undefined],
  ['a task without a price has none', {}, undefined],
])('%s', async (_what, ended, usd) => {
  const metrics = createWorkerMetrics();
  observeTasks(metrics, catalog).ended({ ...task, ...ended }, 'finishing');
  const cost = /^sluice_cost_usd_total\{.*\} (.*)$/m.exec(await metrics.render())?.[1];
  expect(cost === undefined ? undefined : Number(cost)).toBe(usd);
});

it('labels have the names of the configuration, not those that clients send', async () => {
  const metrics = createWorkerMetrics();
  const observer = observeTasks(metrics, catalog);
  for (let n = 0; n < 10; n += 1) observer.called({ ...task, model: `clip-${n}` }, 'poll', 'unclear', 0.1);
  observer.called({ ...task, model: 'removed' }, 'poll', 'served', 0.1);
  observer.ended({ ...task, status: 'failed', error: { code: 'content_policy', message: 'No.' } }, 'in_progress');
  const lines = (await metrics.render())
    .split('\n')
    .filter((line) => /^sluice_(?:upstream|task)_\w+_total\{/.test(line));
  expect(lines).toEqual([
    'sluice_upstream_attempts_total{upstream="vendor",model="clip-*",operation="poll",outcome="unclear"} 10',
    'sluice_upstream_attempts_total{upstream="vendor",model="none",operation="poll",outcome="served"} 1',
    'sluice_task_ends_total{model="clip-*",key="alice",upstream="vendor",kind="video",status="failed",code="content_policy"} 1',
  ]);
});
