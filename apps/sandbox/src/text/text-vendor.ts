import type { AwsSessions } from './aws-sessions.ts';
import type { RequestLog } from './request-log.ts';
import type { TextFaults } from './text-faults.ts';
import type { SecretStore } from './secret-store.ts';

export interface TextVendor {
  /** The API key of clients. It is also the secret of clients that sign requests. */
  apiKey: string;
  /** The access key (public half) of clients that sign requests. */
  accessKey: string;
  /** The temporary credentials of AWS. */
  awsSessions: AwsSessions;
  now: () => number;
  newId: () => string;
  secretStore: SecretStore;
  faults: TextFaults;
  log: RequestLog;
}
