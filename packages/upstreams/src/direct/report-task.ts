import type { EmbeddingWish, LossReport } from '@sluice/canonical';

/** Tells what an upstream without tasks and titles leaves out; only Google's clients have them, under these names. */
export function reportTask(wish: Pick<EmbeddingWish, 'task' | 'titles'>, report: LossReport): void {
  if (wish.task !== undefined) report({ field: 'taskType', how: 'dropped' });
  reportTitles(wish, report);
}

/** The same for one that has tasks alone. */
export function reportTitles({ titles }: Pick<EmbeddingWish, 'titles'>, report: LossReport): void {
  if (titles !== undefined) report({ field: 'title', how: 'dropped' });
}
