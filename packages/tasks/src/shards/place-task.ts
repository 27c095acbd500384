import { createHash } from 'node:crypto';
import type { NewTask } from '../engine/task-requests.ts';
import type { AccountCaps } from '../store/task-settings.ts';

/**
 * Returns the numbers of the shards for a task, best first. A limit has one counter, so tasks with a limit of their key
 * or of an upstream are on the home. Other tasks are spread by their prompts: tasks with the same request are then on the
 * same shard, where the reconciliation of lost submissions distinguishes them. A new shard takes over its share of the
 * prompts and changes no other (rendezvous hashing).
 */
export function placeTask(newTask: NewTask, caps: Record<string, AccountCaps>, shards: number): number[] {
  if (isLimited(newTask, caps)) return [0];
  const key = newTask.request.prompt?.trim() || newTask.digest;
  const weights = Array.from({ length: shards }, (_, shard) => weightOf(key, shard));
  return [...weights.keys()].toSorted((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
}

function isLimited({ allowance, targets }: NewTask, caps: Record<string, AccountCaps>): boolean {
  const { openTasks, concurrentTasks, budget } = allowance ?? {};
  if (openTasks !== undefined || concurrentTasks !== undefined || budget !== undefined) return true;
  return targets.some(({ upstream }) => caps[upstream]?.maxInFlight !== undefined);
}

function weightOf(key: string, shard: number): number {
  return createHash('sha256').update(`${shard}\n${key}`).digest().readUIntBE(0, 6);
}
