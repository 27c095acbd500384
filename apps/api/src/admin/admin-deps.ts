import type { KeyConfig, ModelCatalog } from '@sluice/config';
import type { Limiter } from '@sluice/limits';
import type { TaskEngine } from '@sluice/tasks';
import type { StoredApiKeys } from '../auth/stored-api-keys.ts';
import type { LedgerReader } from '../metering/ledger-reader.ts';
import type { Circuit } from '../routing/circuit-states.ts';

export interface AdminDeps {
  engine: TaskEngine;
  configuredKeys: readonly KeyConfig[];
  catalog: Pick<ModelCatalog, 'find'>;
  /** Keys created at run time. */
  storedKeys: StoredApiKeys;
  ledger: LedgerReader;
  limiter: Pick<Limiter, 'spending'>;
  /** Reads the circuit breakers of all processes that share the port. */
  circuits: () => Promise<Circuit[]>;
  /** Unix milliseconds. */
  now: () => number;
}
