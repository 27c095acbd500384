import type { RequestLog } from './request-log.ts';
import type { TextFaults } from './text-faults.ts';
import type { SecretStore } from './secret-store.ts';

export interface TextVendor {
  apiKey: string;
  now: () => number;
  newId: () => string;
  secretStore: SecretStore;
  faults: TextFaults;
  log: RequestLog;
}
