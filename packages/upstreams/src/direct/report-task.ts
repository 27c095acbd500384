import type { EmbeddingParams, LossReport } from '@sluice/canonical';

/** Reports tasks and titles as dropped. Only Google's clients send them. */
export function reportTask(params: Pick<EmbeddingParams, 'task' | 'titles'>, report: LossReport): void {
  if (params.task !== undefined) report({ field: 'taskType', how: 'dropped' });
  reportTitles(params, report);
}

/** Reports titles as dropped, for upstreams that support tasks. */
export function reportTitles({ titles }: Pick<EmbeddingParams, 'titles'>, report: LossReport): void {
  if (titles !== undefined) report({ field: 'title', how: 'dropped' });
}
