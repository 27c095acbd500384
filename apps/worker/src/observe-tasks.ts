import type { ModelCatalog, ModelPrice } from '@sluice/config';
import type { ObservedTask, WorkerObserver } from '@sluice/tasks';
import type { WorkerMetrics } from '@sluice/telemetry';

/** The value of a label that does not apply. */
const NONE = 'none';

/**
 * Counts upstream calls and finished tasks. Labels use the configuration's model ids, because the name that a client
 * sends can match a pattern.
 */
export function observeTasks(
  metrics: Pick<WorkerMetrics, 'recordAttempt' | 'taskEnds' | 'cost'>,
  catalog: Pick<ModelCatalog, 'find'>,
): WorkerObserver {
  return {
    called({ model, upstream }, operation, outcome, seconds) {
      const id = catalog.find(model)?.model.id ?? NONE;
      metrics.recordAttempt({ upstream, model: id, operation }, outcome, seconds);
    },
    ended(task, before) {
      const { model, upstream, ownerId: key, kind, status, error } = task;
      const configured = catalog.find(model)?.model;
      const labels = { model: configured?.id ?? NONE, key, upstream };
      metrics.taskEnds.inc({ ...labels, kind, status, code: error?.code ?? NONE });
      const isBilled = status === 'completed' || (status === 'canceled' && before === 'canceling');
      if (isBilled && configured?.price) metrics.cost.inc(labels, costOf(configured.price, task));
    },
  };
}

/** Returns US dollars. Uses the same rules as `price.lua` in `packages/tasks`, so that metrics agree with budgets. */
function costOf({ request = 0, image = 0, video_second = 0 }: ModelPrice, task: ObservedTask): number {
  if (task.kind === 'image') return request + image * task.outputs.filter(({ content }) => content).length;
  const seconds = Number(task.seconds);
  return request + video_second * (seconds > 0 ? Math.max(1, Math.round(seconds)) : 0);
}
