import type { Config } from '@sluice/config';
import type { PriceBook } from '@sluice/prices';
import type { TaskEngine } from '@sluice/tasks';
import type { ListVendorModels, Upstreams } from '@sluice/upstreams';
import type { ShowKeysDeps } from '../auth/show-keys.ts';
import type { LedgerReader } from '../metering/ledger-reader.ts';
import type { Circuit } from '../routing/circuit-states.ts';

export interface AdminDeps extends ShowKeysDeps {
  engine: TaskEngine;
  ledger: LedgerReader;
  /** Reads the circuit breakers of all processes that share the port. */
  circuits: () => Promise<Circuit[]>;
  /** The upstreams of the configuration. */
  upstreams: Config['upstreams'];
  config: Config;
  /** Reads the configuration again, from the file and the environment. @throws ConfigError */
  readConfig: () => Promise<Config>;
  accounts: Upstreams['accounts'];
  prices: PriceBook;
  listVendorModels: ListVendorModels;
  stopping: AbortSignal;
}
