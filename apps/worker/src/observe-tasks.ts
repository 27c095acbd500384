import { splitAccount } from '@sluice/canonical';
import type { ModelCatalog } from '@sluice/config';
import type { WorkerObserver } from '@sluice/tasks';
import type { WorkerMetrics } from '@sluice/telemetry';

const NANOS_PER_USD = 1e9;

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
    called({ model, upstream: account }, operation, outcome, seconds) {
      const { upstream } = splitAccount(account);
      const id = catalog.find(model)?.model.id ?? NONE;
      metrics.recordAttempt({ upstream, model: id, operation }, outcome, seconds);
    },
    ended({ model, upstream: account, ownerId: key, kind, status, error, costNanos }) {
      const configured = catalog.find(model)?.model;
      const labels = { model: configured?.id ?? NONE, key, upstream: splitAccount(account).upstream };
      metrics.taskEnds.inc({ ...labels, kind, status, code: error?.code ?? NONE });
      // A task without a cost gets no series.
      if (costNanos) metrics.cost.inc(labels, costNanos / NANOS_PER_USD);
    },
  };
}
