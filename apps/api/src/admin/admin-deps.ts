import type { KeyConfig, ModelCatalog } from '@sluice/config';
import type { Limiter } from '@sluice/limits';
import type { TaskEngine } from '@sluice/tasks';
import type { StoredApiKeys } from '../auth/stored-api-keys.ts';

/** What the endpoints of the admin API work with. */
export interface AdminDeps {
  engine: TaskEngine;
  /** Keys that stand in the configuration. */
  configuredKeys: readonly KeyConfig[];
  /** Models that keys may name. */
  catalog: Pick<ModelCatalog, 'find'>;
  /** Keys that are made at run time. */
  storedKeys: StoredApiKeys;
  /** Knows what keys have spent. */
  limiter: Pick<Limiter, 'spending'>;
  /** Unix milliseconds. */
  now: () => number;
}
