import type {
  DirectCapabilities,
  MediaCapabilities,
  RealtimeCapability,
  TextCapability,
  TextQuirks,
} from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Download } from './http/download.ts';
import type { FetchUpstream } from './http/fetch-upstream.ts';
import type { OpenUpstream } from './http/open-upstream.ts';

/** An upstream account as configured: the fields of `sluice.yaml` that a kind may need. */
export interface UpstreamAccount {
  kind: string;
  base_url: string;
  api_key?: string | undefined;
  access_key?: string | undefined;
  secret_key?: string | undefined;
  /** What calls of kind `provider-b` are signed for; default `cn-north-1`. */
  region?: string | undefined;
  /** Sent with every call of text, before the kind's own of the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
  quirks?: TextQuirks | undefined;
  /** Whether there is the older `/completions`. */
  completions?: boolean | undefined;
}

/** Time limits of calls, in milliseconds. */
export interface UpstreamTimeouts {
  /** A submission: silence while it is sent and after. */
  submitMs: number;
  /** A poll, a cancellation or a page of a look-up, all in all. */
  pollMs: number;
  /** A synchronous call that makes an image: silence until its answer. Default 3 min. */
  imageMs?: number;
  /** How long a vendor may take to show a job in its look-up before "there is none" is believed. Default 45 s. */
  lookUpMs?: number;
  /** A download: silence before the answer and between its pieces. */
  downloadIdleMs: number;
  /** A text answer: silence until its status. Default 10 min. */
  textFirstMs?: number;
  /** A text answer: silence between its pieces. Default 5 min. */
  textIdleMs?: number;
}

/** Where kinds tell what an outcome leaves out. Fields hold no bodies, no credentials and no paths of result URLs. */
export type UpstreamLogger = Pick<Logger, 'debug' | 'warn'>;

/** What every kind works with. */
export interface UpstreamContext {
  /** The account's name in the configuration. */
  name: string;
  fetchUpstream: FetchUpstream;
  /** For answers that are taken as they come. */
  openUpstream: OpenUpstream;
  /** For URLs that an upstream has named, and its content: configured origins are exempt from the address rule. */
  download: Download;
  timeouts: UpstreamTimeouts;
  logger: UpstreamLogger;
  /** The time in Unix milliseconds. */
  now: () => number;
}

/** What an upstream serves; absent means that it does not. */
export interface Capabilities extends MediaCapabilities, DirectCapabilities {
  text?: TextCapability;
  realtime?: RealtimeCapability;
}

/** An upstream account, ready to be used. */
export interface Upstream extends Capabilities {
  kind: string;
}

/** A kind of upstream: its word in the configuration, and how an account of it is built. */
export interface UpstreamKind {
  kind: string;
  /** Builds an account. Opens nothing. @throws Error when the account lacks what the kind needs. */
  build(account: UpstreamAccount, context: UpstreamContext): Capabilities;
}

/** Defines a kind of upstream; gives its argument back, checked by the compiler. */
export function defineUpstream<const K extends UpstreamKind>(kind: K): K {
  return kind;
}
