import { ConfigSchema, modelCatalog } from '@sluice/config';
import type { ObservedTask } from '@sluice/tasks';
import { createWorkerMetrics } from '@sluice/telemetry';
import { expect, it } from 'vitest';
import { observeTasks } from './observe-tasks.ts';

const routes = [{ upstream: 'vendor', model: '*' }];
const catalog = modelCatalog(
  ConfigSchema.parse({
    models: [
      { id: 'clip-*', routes, price: { request: 1, video_second: 0.5 } },
      { id: 'image-*', routes, price: { image: 0.25 } },
      { id: 'free-*', routes },
    ],
  }),
);
const content = { key: 'k', bytes: 1, etag: 'e', mediaType: 'image/png' };
const task: ObservedTask = {
  model: 'clip-7',
  upstream: 'vendor',
  ownerId: 'alice',
  kind: 'video',
  seconds: '4.6',
  status: 'completed',
  outputs: [],
};
const image: ObservedTask = {
  ...task,
  model: 'image-1',
  kind: 'image',
  outputs: [{ content }, { error: { code: 'content_policy', message: 'No.' } }, { content }],
};

it.each<[string, ObservedTask, Parameters<ReturnType<typeof observeTasks>['ended']>[1], number | undefined]>([
  ['a video costs its seconds, rounded', task, 'finishing', 3.5],
  ['a short video costs one second', { ...task, seconds: '0.2' }, 'finishing', 1.5],
  ['images cost by their number', image, 'finishing', 0.5],
  [
    'a video that was canceled while it ran costs its planned seconds',
    { ...task, status: 'canceled' },
    'canceling',
    3.5,
  ],
  ['a video that was canceled before costs nothing', { ...task, status: 'canceled' }, 'queued', undefined],
  ['a failed video costs nothing', { ...task, status: 'failed' }, 'in_progress', undefined],
  ['a model without a price costs nothing', { ...task, model: 'free-1' }, 'finishing', undefined],
])('%s', async (_what, ended, before, usd) => {
  const metrics = createWorkerMetrics();
  observeTasks(metrics, catalog).ended(ended, before);
  const cost = /^sluice_cost_usd_total\{.*\} (.*)$/m.exec(await metrics.render())?.[1];
  expect(cost === undefined ? undefined : Number(cost)).toBe(usd);
});

it('labels have the names of the configuration, not those that clients send', async () => {
  const metrics = createWorkerMetrics();
  const observer = observeTasks(metrics, catalog);
  for (let n = 0; n < 10; n += 1) observer.called({ ...task, model: `clip-${n}` }, 'poll', 'unclear', 0.1);
  observer.called({ ...task, model: 'removed' }, 'poll', 'served', 0.1);
  observer.ended({ ...task, status: 'failed', error: { code: 'content_policy', message: 'No.' } }, 'in_progress');
  const lines = (await metrics.render()).split('\n').filter((line) => /^sluice_\w+_total\{/.test(line));
  expect(lines).toEqual([
    'sluice_upstream_attempts_total{upstream="vendor",model="clip-*",operation="poll",outcome="unclear"} 10',
    'sluice_upstream_attempts_total{upstream="vendor",model="none",operation="poll",outcome="served"} 1',
    'sluice_task_ends_total{model="clip-*",key="alice",upstream="vendor",kind="video",status="failed",code="content_policy"} 1',
  ]);
});
