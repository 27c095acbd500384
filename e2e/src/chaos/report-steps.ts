import { aroundRedisCalls } from '../faults/redis-calls.ts';
import { sentMove } from '../faults/sent-move.ts';

/**
 * Preloaded into the workers with `--import`. Reports which tasks the process works on, so that the test knows which
 * tasks a kill interrupts.
 */

export interface StepReport {
  type: 'claimed' | 'released';
  task: string;
}

const TASK_ID = /^video_\w+$/;

aroundRedisCalls(async (command, args, send) => {
  const response = await send();
  const isClaim = sentMove(args)?.claim !== undefined;
  const isEnd = command.startsWith('moveToDelayed') || command.startsWith('moveToFinished');
  const task = isClaim || isEnd ? args.find((arg) => typeof arg === 'string' && TASK_ID.test(arg)) : undefined;
  if (typeof task === 'string') process.send?.({ type: isClaim ? 'claimed' : 'released', task } satisfies StepReport);
  return response;
});
