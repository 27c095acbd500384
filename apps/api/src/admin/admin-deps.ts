import type { BatchStore } from '@sluice/batches';
import type { Config } from '@sluice/config';
import type { FileStore } from '@sluice/files';
import type { GroupStore } from '@sluice/groups';
import type { Credentials } from '@sluice/limits';
import type { PriceBook } from '@sluice/prices';
import type { Reloader } from '@sluice/reload';
import type { TaskEngine } from '@sluice/tasks';
import type { ListVendorModels, Upstreams } from '@sluice/upstreams';
import type { StoredDelivery, Webhooks } from '@sluice/webhooks';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ShowKeysDeps } from '../auth/show-keys.ts';
import type { LedgerReader } from '../metering/ledger-reader.ts';
import type { Circuit } from '../routing/circuit-states.ts';

export interface AdminDeps extends ShowKeysDeps {
  engine: TaskEngine;
  files: Pick<FileStore, 'search'>;
  batches: Pick<BatchStore, 'search' | 'load' | 'change' | 'cancel'>;
  groups: Pick<GroupStore, 'search' | 'load' | 'items' | 'cancel' | 'retry'>;
  auditLog: Pick<AuditLog, 'search'>;
  ledger: LedgerReader;
  /** Reads the circuit breakers of all processes that share the port. */
  circuits: () => Promise<Circuit[]>;
  /** The upstreams of the configuration. */
  upstreams: Config['upstreams'];
  config: Config;
  /** Reads the configuration again, and shares it between processes. */
  reloader: Pick<Reloader, 'read' | 'preview' | 'reload' | 'state' | 'store'>;
  accounts: Upstreams['accounts'];
  credentials: Credentials;
  prices: PriceBook;
  listVendorModels: ListVendorModels;
  webhooks: Webhooks;
  /** Returns the request of a webhook delivery. Undefined if its webhook was deleted. */
  deliveryRequest: (delivery: StoredDelivery) => Promise<{ url: string; body?: string } | undefined>;
  /** Returns the names under which admins call models from the console. */
  consoleOwners: () => Promise<string[]>;
  stopping: AbortSignal;
}
