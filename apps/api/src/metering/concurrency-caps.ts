import type { KeyLimits } from '@sluice/config';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';

/** As much of a key as says how many of its tasks may run at once. */
export interface CappedKey {
  name: string;
  limits?: KeyLimits | undefined;
}

/**
 * Tells the engine how many tasks of a key may run at once, whenever that is another number than it was told last: a
 * changed limit holds for tasks that wait, though the key makes no new ones. What cannot be told is told the next time.
 */
export function createCapNotifier(
  engine: Pick<TaskEngine, 'capOwners'>,
  logger: Pick<Logger, 'debug'>,
): (keys: readonly CappedKey[]) => void {
  const told = new Map<string, number | undefined>();
  return (keys) => {
    const all = keys.map(({ name, limits }) => [name, limits?.concurrent_tasks] as const);
    const news = new Map(all.filter(([name, max]) => !told.has(name) || told.get(name) !== max));
    if (news.size === 0) return;
    for (const [name, max] of news) told.set(name, max);
    engine.capOwners(news).catch((error: unknown) => {
      for (const name of news.keys()) told.delete(name);
      logger.debug({ err: error }, 'caps of keys were not told');
    });
  };
}
