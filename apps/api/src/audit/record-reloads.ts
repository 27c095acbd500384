import type { ConfigChange, ConfigDifference } from '@sluice/config';
import type { ReloadFacts } from '@sluice/reload';
import type { Redis } from 'ioredis';
import type { AuditWriter } from './audit-writer.ts';

export interface ReloadRecorderDeps {
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  writer: Pick<AuditWriter, 'add'>;
}

export type RecordReload = (facts: ReloadFacts, difference: Pick<ConfigDifference, 'changes' | 'restart'>) => void;

const MAX_CHANGES = 20;
const MAX_VALUE_CHARS = 200;
/** Processes that apply the same change within this time share an entry. */
const SHARED_MS = 600_000;

/**
 * Returns a function that adds an entry to the audit log after a reload has changed the configuration. The first
 * process writes it. The others find that the last recorded change was the same.
 */
export function createReloadRecorder({ redis, prefix, writer }: ReloadRecorderDeps): RecordReload {
  const lastKey = `{${prefix}}:audit:last-reload`;
  return ({ trigger, from, version }, { changes, restart }) => {
    const isFirst = async (): Promise<boolean> => {
      const change = `${from} ${version}`;
      return (await redis.set(lastKey, change, 'PX', SHARED_MS, 'GET')) !== change;
    };
    const reload = {
      trigger,
      changes: changes.slice(0, MAX_CHANGES).map(shownChange),
      change_count: changes.length,
      restart,
    };
    const actor = { type: 'system', name: 'system' } as const;
    writer.add({ actor, operation: 'configReload', target: version, reload }, isFirst);
  };
}

function shownChange({ path, before, after }: ConfigChange): { path: string; before?: unknown; after?: unknown } {
  return { path, ...(isShort(before) && { before }), ...(isShort(after) && { after }) };
}

function isShort(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).length <= MAX_VALUE_CHARS;
}
