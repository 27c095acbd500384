import type { EmbeddingParams, LossReport } from '@sluice/canonical';

export function reportTask(params: Pick<EmbeddingParams, 'task' | 'titles'>, report: LossReport): void {
  if (params.task !== undefined) report({ field: 'taskType', how: 'dropped' });
  reportTitles(params, report);
}

export function reportTitles({ titles }: Pick<EmbeddingParams, 'titles'>, report: LossReport): void {
  if (titles !== undefined) report({ field: 'title', how: 'dropped' });
}
