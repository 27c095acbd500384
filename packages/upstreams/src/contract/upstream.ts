import type {
  DirectCapabilities,
  MediaCapabilities,
  RealtimeCapability,
  TextCapability,
  TextQuirks,
  VendorBatchCapability,
} from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Download } from '../http/guarded/download.ts';
import type { FetchUpstream } from '../http/fetch-upstream.ts';
import type { OpenUpstream } from '../http/open-upstream.ts';
import type { OpenSocket } from '../realtime/open-socket.ts';
import type { IdentitySettings } from './identity-settings.ts';

export interface UpstreamAccount {
  kind: string;
  base_url: string;
  api_key?: string | undefined;
  access_key?: string | undefined;
  secret_key?: string | undefined;
  /** An identity at a cloud, in place of the other credentials. */
  identity?: IdentitySettings | undefined;
  /** Region for `provider-b` signatures. The default is `cn-north-1`. */
  region?: string | undefined;
  /** Where the vendor writes videos, e.g. `gs://bucket/folder` or `s3://bucket/folder`. */
  output_uri?: string | undefined;
  /** The role with which the vendor reads and writes the files of batches. */
  batch_role_arn?: string | undefined;
  /** The URL of S3, if it is not that of the region. */
  s3_endpoint?: string | undefined;
  /** Sent with every call. They override headers of the kind with the same names. */
  headers?: Readonly<Record<string, string>> | undefined;
  quirks?: TextQuirks | undefined;
  completions?: boolean | undefined;
}

/** Timeouts of calls, in milliseconds. */
export interface UpstreamTimeouts {
  /** Maximum idle time of a submission, while it is sent and until its response is complete. */
  submitMs: number;
  /** Maximum total time of a poll, a cancellation, or one page of a lookup. */
  pollMs: number;
  /** Maximum idle time of a synchronous image call until its response arrives. The default is 3 min. */
  imageMs?: number;
  /** Maximum time until a vendor lists a new job. After it, an empty lookup proves that no job exists. Default 45 s. */
  lookUpMs?: number;
  /** Maximum idle time of a download, before the response and between chunks. */
  downloadIdleMs: number;
  /** Maximum idle time of a text call until the response headers arrive. The default is 10 min. */
  textFirstMs?: number;
  /** Maximum idle time between chunks of a text response. The default is 5 min. */
  textIdleMs?: number;
}

/** Logs details that outcomes do not contain, but never bodies, credentials, or the paths of result URLs. */
export type UpstreamLogger = Pick<Logger, 'debug' | 'warn'>;

export interface UpstreamContext {
  name: string;
  fetchUpstream: FetchUpstream;
  openUpstream: OpenUpstream;
  openSocket: OpenSocket;
  /** Returns credentials that are not in the account, because they change. Clients must not see them. */
  secrets?: () => readonly string[];
  /** Downloads from URLs that an upstream returned. Configured origins are exempt from the public-address rule. */
  download: Download;
  timeouts: UpstreamTimeouts;
  logger: UpstreamLogger;
  /** Unix milliseconds. */
  now: () => number;
}

export interface Capabilities extends MediaCapabilities, DirectCapabilities {
  text?: TextCapability;
  /** Absent if the vendor has no batches, or Sluice does not support them. */
  batches?: VendorBatchCapability;
  realtime?: RealtimeCapability;
}

export interface Upstream extends Capabilities {
  kind: string;
}

export interface UpstreamKind {
  kind: string;
  /** Creates an account without opening connections. @throws Error if required settings are missing */
  build(account: UpstreamAccount, context: UpstreamContext): Capabilities;
}

export function defineUpstream<const K extends UpstreamKind>(kind: K): K {
  return kind;
}
