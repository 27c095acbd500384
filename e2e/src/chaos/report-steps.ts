import { aroundRedisCalls } from '../faults/redis-calls.ts';
import { sentMove } from '../faults/redis-words.ts';

/**
 * Preloaded into the workers (`--import`): tells the parent which tasks the process is at work on, so that the parent
 * knows what it has killed. It changes nothing.
 */

/** What the parent is told: a worker has claimed a task for a step, or has let go of it. */
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
