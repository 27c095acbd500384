import { aroundRedisCalls } from './redis-calls.ts';
import { isRunningPoll, sentMove } from './sent-move.ts';

/**
 * Preloaded into a process with `--import`. Stops tasks at a given point, before or after a Redis script, and reports
 * them to the parent process. The process continues to run, so that many tasks can reach their points before it is
 * killed.
 *
 * `SLUICE_E2E_STOPS` is a JSON object that maps task ids, or `*` for any task, to their stop points.
 */

export type StopPoint =
  | 'admitted'
  | 'response-pending'
  | 'claimed'
  | 'intent-written'
  | 'accepted'
  | 'recorded'
  | 'polled'
  | 'vendor-done'
  | 'stored'
  | 'completed';

export interface StopReport {
  type: 'stopped';
  task: string;
  point: StopPoint;
}

// The cast is safe because the tests write this variable.
const stops = JSON.parse(process.env['SLUICE_E2E_STOPS'] ?? '{}') as Record<string, StopPoint>;

/** Stop points before a transition, keyed by the new state. */
const BEFORE: Record<string, StopPoint> = { in_progress: 'accepted', finishing: 'vendor-done', completed: 'stored' };
const AFTER: Record<string, StopPoint> = {
  submitting: 'intent-written',
  in_progress: 'recorded',
  completed: 'completed',
};

/** Returns the stop point immediately before a command. */
function before(command: string, args: readonly unknown[]): StopPoint | undefined {
  if (command.startsWith('addStandardJob')) return 'response-pending';
  const move = sentMove(args);
  // One move claims a new task and records the start of its submission.
  if (move?.claim !== undefined && move.to === 'submitting') return 'claimed';
  return BEFORE[move?.to ?? ''];
}

/** Returns the stop point immediately after a command. */
function after(command: string, args: readonly unknown[]): StopPoint | undefined {
  if (command === 'sluiceAdmit') return 'admitted';
  const move = sentMove(args);
  if (move?.claim !== undefined && move.to === undefined) return 'claimed';
  if (isRunningPoll(args)) return 'polled';
  return AFTER[move?.to ?? ''];
}

/** Never resolves if the task must stop at this point. */
async function stopAt(point: StopPoint | undefined, args: readonly unknown[]): Promise<void> {
  if (point === undefined) return;
  const task = args.find((arg) => typeof arg === 'string' && arg in stops);
  if (typeof task === 'string' ? stops[task] !== point : stops['*'] !== point) return;
  process.send?.({ type: 'stopped', task: typeof task === 'string' ? task : '*', point } satisfies StopReport);
  await new Promise(() => undefined);
}

aroundRedisCalls(async (command, args, send) => {
  await stopAt(before(command, args), args);
  const response = await send();
  await stopAt(after(command, args), args);
  return response;
});
