import type { EmbeddingParams, LossReport } from '@sluice/canonical';

/** Tells what an upstream without tasks and titles leaves out; only Google's clients have them, under these names. */
export function reportTask(params: Pick<EmbeddingParams, 'task' | 'titles'>, report: LossReport): void {
  if (params.task !== undefined) report({ field: 'taskType', how: 'dropped' });
  reportTitles(params, report);
}

/** The same for one that has tasks alone. */
export function reportTitles({ titles }: Pick<EmbeddingParams, 'titles'>, report: LossReport): void {
  if (titles !== undefined) report({ field: 'title', how: 'dropped' });
}
