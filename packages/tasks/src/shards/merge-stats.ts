import type { TaskStats } from '../store/task-stats.ts';

/** Adds the statistics of shards. Caps of running tasks are those of the home, which has all tasks with such caps. */
export function mergeStats(parts: readonly TaskStats[]): TaskStats {
  const sum = (value: (part: TaskStats) => number): number => parts.reduce((total, part) => total + value(part), 0);
  const bounds = parts[0]?.lateness.buckets ?? [];
  return {
    tasks: mergeNumbers(
      parts.map(({ tasks }) => tasks),
      (one, other) => one + other,
    ),
    submissions: sum(({ submissions }) => submissions),
    unknowns: sum(({ unknowns }) => unknowns),
    unclearPolls: sum(({ unclearPolls }) => unclearPolls),
    fencedWrites: sum(({ fencedWrites }) => fencedWrites),
    reconciled: sum(({ reconciled }) => reconciled),
    lateness: {
      buckets: bounds.map(([bound], index) => [bound, sum(({ lateness }) => lateness.buckets[index]?.[1] ?? 0)]),
      sumMs: sum(({ lateness }) => lateness.sumMs),
      count: sum(({ lateness }) => lateness.count),
    },
    waitingForStorage: sum(({ waitingForStorage }) => waitingForStorage),
    slots: mergeSlots(parts.map(({ slots }) => slots)),
    lastClaimAt: mergeNumbers(
      parts.map(({ lastClaimAt }) => lastClaimAt),
      Math.max,
    ),
  };
}

function mergeNumbers(
  parts: readonly Record<string, number>[],
  merge: (one: number, other: number) => number,
): Record<string, number> {
  const merged: Record<string, number> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    const known = merged[name];
    merged[name] = known === undefined ? value : merge(known, value);
  }
  return merged;
}

function mergeSlots(parts: readonly TaskStats['slots'][]): TaskStats['slots'] {
  const merged: TaskStats['slots'] = {};
  for (const [account, slots] of parts.flatMap((part) => Object.entries(part))) {
    const known = merged[account];
    if (!known) {
      merged[account] = slots;
      continue;
    }
    const pausedMs = Math.max(known.pausedMs ?? 0, slots.pausedMs ?? 0);
    merged[account] = {
      inFlight: { ...known.inFlight, used: known.inFlight.used + slots.inFlight.used },
      submitting: {
        used: known.submitting.used + slots.submitting.used,
        max: (known.submitting.max ?? 0) + (slots.submitting.max ?? 0),
      },
      ...(pausedMs > 0 && { pausedMs }),
    };
  }
  return merged;
}
