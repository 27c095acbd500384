import type { RequestLog } from './request-log.ts';
import type { TextFaults } from './text-faults.ts';
import type { Vault } from './vault.ts';

/** What the text wires share. */
export interface TextVendor {
  /** The key that callers must send. */
  apiKey: string;
  /** Unix milliseconds. */
  now: () => number;
  /** A fresh unguessable id of letters and digits. */
  newId: () => string;
  vault: Vault;
  faults: TextFaults;
  log: RequestLog;
}
