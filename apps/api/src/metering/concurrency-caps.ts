import type { KeyLimits } from '@sluice/config';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';

export interface CappedKey {
  name: string;
  limits?: KeyLimits | undefined;
}

/**
 * Declares every changed concurrency limit to the engine, because limits also apply to queued tasks. A failed
 * declaration is retried on the next call.
 */
export function createCapNotifier(
  engine: Pick<TaskEngine, 'capOwners'>,
  logger: Pick<Logger, 'debug'>,
): (keys: readonly CappedKey[]) => void {
  const declared = new Map<string, number | undefined>();
  return (keys) => {
    const all = keys.map(({ name, limits }) => [name, limits?.concurrent_tasks] as const);
    const changes = new Map(all.filter(([name, max]) => !declared.has(name) || declared.get(name) !== max));
    if (changes.size === 0) return;
    for (const [name, max] of changes) declared.set(name, max);
    engine.capOwners(changes).catch((error: unknown) => {
      for (const name of changes.keys()) declared.delete(name);
      logger.debug({ err: error }, 'concurrency limits could not be stored');
    });
  };
}
