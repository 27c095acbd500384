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
  /** Region for `provider-b` signatures; default `cn-north-1`. */
  region?: string | undefined;
  /** Sent with every call. They override the kind's headers of the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
  quirks?: TextQuirks | undefined;
  completions?: boolean | undefined;
}

/** Timeouts of calls, in milliseconds. */
export interface UpstreamTimeouts {
  /** Max idle time of a submission, while it is sent and until its response is complete. */
  submitMs: number;
  /** Max total time of a poll, a cancellation, or one page of a lookup. */
  pollMs: number;
  /** Max idle time of a synchronous image call until its response arrives. Default 3 min. */
  imageMs?: number;
  /** Max time until a vendor lists a new job. After it, an empty lookup proves that there is none. Default 45 s. */
  lookUpMs?: number;
  /** Max idle time of a download, both before the response and between chunks. */
  downloadIdleMs: number;
  /** Max idle time of a text call until the response headers arrive. Default 10 min. */
  textFirstMs?: number;
  /** Max idle time between a text response's chunks. Default 5 min. */
  textIdleMs?: number;
}

/** Logs details that outcomes omit. Fields never contain bodies, credentials, or paths of result URLs. */
export type UpstreamLogger = Pick<Logger, 'debug' | 'warn'>;

export interface UpstreamContext {
  name: string;
  fetchUpstream: FetchUpstream;
  openUpstream: OpenUpstream;
  /** Downloads from URLs that an upstream returned. Configured origins are exempt from the public-address rule. */
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
  /** Creates an account without opening connections. @throws Error if required settings are missing */
  build(account: UpstreamAccount, context: UpstreamContext): Capabilities;
}

export function defineUpstream<const K extends UpstreamKind>(kind: K): K {
  return kind;
}
