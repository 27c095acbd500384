import { aroundRedisCalls } from './redis-calls.ts';
import { sentMove } from './sent-move.ts';

/**
 * Preloaded into a process (`--import`). Stops single tasks at a point, before or after a Redis script, and reports them
 * to the parent. The process continues, so that many tasks can reach their points before it is killed.
 *
 * `SLUICE_E2E_STOPS` is JSON: task ids, or `*` for any, with the point of each.
 */

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

export interface StopReport {
  type: 'stopped';
  task: string;
  point: StopPoint;
}

const stops = JSON.parse(process.env['SLUICE_E2E_STOPS'] ?? '{}') as Record<string, StopPoint>; // the tests write it

/** Points by the target state of a transition. */
const BEFORE: Record<string, StopPoint> = { in_progress: 'accepted', finishing: 'vendor-done', completed: 'stored' };
const AFTER: Record<string, StopPoint> = {
  submitting: 'intent-written',
  in_progress: 'recorded',
  completed: 'completed',
};

/** The point immediately before a command. */
function before(command: string, args: readonly unknown[]): StopPoint | undefined {
  if (command.startsWith('addStandardJob')) return 'answered';
  return BEFORE[sentMove(args)?.to ?? ''];
}

/** The point immediately after a command. */
function after(command: string, args: readonly unknown[]): StopPoint | undefined {
  if (command === 'sluiceAdmit') return 'admitted';
  const move = sentMove(args);
  if (move?.claim !== undefined) return 'claimed';
  if (move?.to === undefined && move?.set['polledAt'] !== undefined) return 'polled';
  return AFTER[move?.to ?? ''];
}

/** Never resolves if the task stops here. */
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
