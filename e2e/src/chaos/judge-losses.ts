import type { Loss } from './chaos-fleet.ts';
import type { AcceptedTask } from './plan-chaos.ts';

/** A task without a fault ends in this time, even if its worker is killed twice. */
const TASK_MS = 20_000;
/** Position of the digit that names the shard; see `packages/tasks/src/shards/shard-of.ts`. */
const DIGIT = 'video_'.length;

/** Checks that the loss of a shard delayed no task of another one. Uses only losses that are longer than a task. */
export function judgeLosses(
  accepted: readonly AcceptedTask[],
  endedAt: ReadonlyMap<string, number>,
  losses: readonly Loss[],
): { rows: [string, string | number][]; faults: string[] } {
  const home = losses.filter(({ shard }) => shard === 0);
  const long = losses.filter(({ shard, from, to }) => shard !== 0 && to - from > TASK_MS);
  let [own, others] = [0, 0];
  const faults: string[] = [];
  for (const { shard, from, to } of long) {
    for (const { id, directive, acceptedAt } of accepted) {
      const end = endedAt.get(id) ?? Infinity;
      const isOpenAtEnd = acceptedAt < to && end > to;
      const isAffected = acceptedAt < to && end > from;
      if (id.charAt(DIGIT) === String(shard)) own += Number(isAffected && isOpenAtEnd);
      else if (isAffected) {
        others += 1;
        const waitedMs = to - Math.max(acceptedAt, from);
        const alsoLost = home.some((one) => one.from < to && one.to > from);
        if (isOpenAtEnd && directive === '' && waitedMs > TASK_MS && !alsoLost) {
          faults.push(`waited for another shard: ${id} (${Math.round(waitedMs / 1_000)} s)`);
        }
      }
    }
  }
  return {
    rows: [
      ['time without a shard', long.map(({ from, to }) => `${Math.round((to - from) / 1_000)} s`).join(', ') || 'none'],
      ['its tasks that waited', own],
      ['tasks of other shards in this time', others],
      ['of these, waited as well', faults.length],
    ],
    faults,
  };
}
