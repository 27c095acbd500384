import type { RequestLog } from './request-log.ts';
import type { TextFaults } from './text-faults.ts';
import type { SecretStore } from './secret-store.ts';

/** What the text wires share. */
export interface TextVendor {
  /** The key that callers must send. */
  apiKey: string;
  /** Unix milliseconds. */
  now: () => number;
  /** A fresh unguessable id of letters and digits. */
  newId: () => string;
  secretStore: SecretStore;
  faults: TextFaults;
  log: RequestLog;
}
