import { modelCatalog } from '../models/model-catalog.ts';
import type { Config } from '../schema/schema.ts';
import { accountsOf } from './account-settings.ts';
import { isMediaKind } from '../schema/kinds.ts';

/** Returns the media task settings (`TaskSettings` in `packages/tasks`). API and workers must use the same ones. */
export function taskSettings(config: Config) {
  const { polling, tasks, limits } = config;
  const catalog = modelCatalog(config);
  return {
    polling: {
      firstMs: polling.first_ms,
      minMs: polling.min_ms,
      maxMs: polling.max_ms,
      onReadMs: polling.on_read_ms,
    },
    lockMs: tasks.lock_ms,
    stallCheckMs: tasks.stall_check_ms,
    sweepMs: tasks.sweep_ms,
    overdueMs: tasks.overdue_ms,
    queueDeadlineMs: tasks.queue_deadline_ms,
    runDeadlineMs: (model: string) => catalog.find(model)?.model.run_deadline_ms ?? tasks.run_deadline_ms,
    submitUnknownMs: tasks.submit_unknown_ms,
    retryMinMs: tasks.retry_min_ms,
    retryMaxMs: tasks.retry_max_ms,
    retentionMs: tasks.retention_ms,
    concurrency: tasks.concurrency,
    downloadBytes: limits.download_bytes,
    uploadBytes: limits.upload_bytes,
  };
}

/**
 * Returns the limits of each media account (`AccountCaps` in `packages/tasks`). Submissions leave one slot of a worker
 * for polls, also if the configuration does not show that an upstream serves media.
 */
export function accountCaps(config: Config): Record<string, { maxInFlight?: number; maxSubmitting: number }> {
  const maxSubmitting = Math.max(1, config.tasks.concurrency - 1);
  return Object.fromEntries(
    Object.entries(accountsOf(config.upstreams))
      .filter(([, { kind }]) => isMediaKind(kind))
      .map(([name, upstream]) => [
        name,
        { maxInFlight: upstream.max_in_flight, maxSubmitting: Math.min(upstream.max_submitting, maxSubmitting) },
      ]),
  );
}
