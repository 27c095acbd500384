import type { KeyLimits } from '@sluice/config';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';

export interface CappedKey {
  name: string;
  limits?: KeyLimits | undefined;
}

/**
 * Declares each changed limit to the engine, since it also applies to queued tasks. A failed declaration is retried the
 * next time.
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
      logger.debug({ err: error }, 'concurrency limits could not be stored');
    });
  };
}
