import { aroundRedisCalls } from './redis-calls.ts';
import { sentMove } from './sent-move.ts';

/**
 * Preloaded into a process of ours (`--import`). Stops single tasks at a named point, before or after a script that
 * Redis runs for them, and reports to the parent. The process itself continues, so that many tasks can reach their
 * points before it is killed.
 *
 * `SLUICE_E2E_STOPS` is JSON: task ids, or `*` for any, with the point of each.
 */

/** Where a process can be stopped in the life of a task. The vendor's side of it has points of its own. */
export type StopPoint =
  | 'admitted'
  | 'answered'
  | 'claimed'
  | 'intent-written'
  | 'accepted'
  | 'recorded'
  | 'polled'
  | 'vendor-done'
  | 'stored'
  | 'completed';

/** Message to the parent. */
export interface StopReport {
  type: 'stopped';
  task: string;
  point: StopPoint;
}

const stops = JSON.parse(process.env['SLUICE_E2E_STOPS'] ?? '{}') as Record<string, StopPoint>; // written by our tests

/** Points by the state that a move leads to. */
const BEFORE: Record<string, StopPoint> = { in_progress: 'accepted', finishing: 'vendor-done', completed: 'stored' };
const AFTER: Record<string, StopPoint> = {
  submitting: 'intent-written',
  in_progress: 'recorded',
  completed: 'completed',
};

/** The point that comes right before a command is sent. */
function before(command: string, words: readonly unknown[]): StopPoint | undefined {
  if (command.startsWith('addStandardJob')) return 'answered';
  return BEFORE[sentMove(words)?.to ?? ''];
}

/** The point that has been reached once a command was applied. */
function after(command: string, words: readonly unknown[]): StopPoint | undefined {
  if (command === 'sluiceAdmit') return 'admitted';
  const move = sentMove(words);
  if (move?.claim !== undefined) return 'claimed';
  if (move?.to === undefined && move?.set['polledAt'] !== undefined) return 'polled';
  return AFTER[move?.to ?? ''];
}

/** Never ends when the task is to stop here. */
async function pass(point: StopPoint | undefined, words: readonly unknown[]): Promise<void> {
  if (point === undefined) return;
  const task = words.find((word) => typeof word === 'string' && word in stops);
  if (typeof task === 'string' ? stops[task] !== point : stops['*'] !== point) return;
  process.send?.({ type: 'stopped', task: typeof task === 'string' ? task : '*', point } satisfies StopReport);
  await new Promise(() => undefined);
}

aroundRedisCalls(async (command, words, send) => {
  await pass(before(command, words), words);
  const response = await send();
  await pass(after(command, words), words);
  return response;
});
