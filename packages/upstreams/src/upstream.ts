import type {
  DirectCapabilities,
  MediaCapabilities,
  RealtimeCapability,
  TextCapability,
  TextQuirks,
} from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Download } from './http/guarded/download.ts';
import type { FetchUpstream } from './http/fetch-upstream.ts';
import type { OpenUpstream } from './http/open-upstream.ts';

export interface UpstreamAccount {
  kind: string;
  base_url: string;
  api_key?: string | undefined;
  access_key?: string | undefined;
  secret_key?: string | undefined;
  /** Region of `provider-b` signatures; default `cn-north-1`. */
  region?: string | undefined;
  /** Sent with every text call, before the kind's own of the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
  quirks?: TextQuirks | undefined;
  completions?: boolean | undefined;
}

/** Timeouts of calls, in milliseconds. */
export interface UpstreamTimeouts {
  /** Max idle time of a submission, while it is sent and afterwards. */
  submitMs: number;
  /** Total time of a poll, a cancellation, or a page of a lookup. */
  pollMs: number;
  /** Max idle time of a synchronous image call until its response. Default 3 min. */
  imageMs?: number;
  /** Time until a vendor lists a new job, after which an empty lookup counts. Default 45 s. */
  lookUpMs?: number;
  /** Max idle time of a download, before the response and between its chunks. */
  downloadIdleMs: number;
  /** Max idle time of a text call until its status. Default 10 min. */
  textFirstMs?: number;
  /** Max idle time between chunks of a text response. Default 5 min. */
  textIdleMs?: number;
}

/** Logs details that an outcome omits. Fields contain no bodies, credentials, or paths of result URLs. */
export type UpstreamLogger = Pick<Logger, 'debug' | 'warn'>;

export interface UpstreamContext {
  name: string;
  fetchUpstream: FetchUpstream;
  openUpstream: OpenUpstream;
  /** For URLs from an upstream and its content: configured origins are exempt from the public-address rule. */
  download: Download;
  timeouts: UpstreamTimeouts;
  logger: UpstreamLogger;
  /** Unix milliseconds. */
  now: () => number;
}

export interface Capabilities extends MediaCapabilities, DirectCapabilities {
  text?: TextCapability;
  realtime?: RealtimeCapability;
}

export interface Upstream extends Capabilities {
  kind: string;
}

export interface UpstreamKind {
  kind: string;
  /** Builds an account without opening connections. @throws Error if required settings are missing */
  build(account: UpstreamAccount, context: UpstreamContext): Capabilities;
}

export function defineUpstream<const K extends UpstreamKind>(kind: K): K {
  return kind;
}
