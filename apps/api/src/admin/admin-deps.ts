import type { Config } from '@sluice/config';
import type { TaskEngine } from '@sluice/tasks';
import type { ListVendorModels } from '@sluice/upstreams';
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
  listVendorModels: ListVendorModels;
  stopping: AbortSignal;
}
