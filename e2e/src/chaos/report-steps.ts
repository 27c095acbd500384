import { aroundRedisCalls } from '../faults/redis-calls.ts';
import { sentMove } from '../faults/sent-move.ts';

/**
 * Preloaded into the workers (`--import`). Reports the tasks that the process works on, so that the parent knows the
 * effect of a kill. Changes nothing.
 */

/** A worker claimed a task for a step, or released it. */
export interface StepReport {
  type: 'claimed' | 'left';
  task: string;
}

const TASK_ID = /^video_\w+$/;

aroundRedisCalls(async (command, words, send) => {
  const response = await send();
  const isClaim = sentMove(words)?.claim !== undefined;
  const isEnd = command.startsWith('moveToDelayed') || command.startsWith('moveToFinished');
  const task = isClaim || isEnd ? words.find((word) => typeof word === 'string' && TASK_ID.test(word)) : undefined;
  if (typeof task === 'string') process.send?.({ type: isClaim ? 'claimed' : 'left', task } satisfies StepReport);
  return response;
});
