import { createDownload } from './http/download.ts';
import { fetchInput, type FetchedInput } from './http/fetch-input.ts';
import { createUpstreamHttp } from './http/fetch-upstream.ts';
import { UPSTREAM_REGISTRY } from './registry.ts';
import type { Upstream, UpstreamAccount, UpstreamKind, UpstreamLogger, UpstreamTimeouts } from './upstream.ts';

/** What {@link buildUpstreams} needs. */
export interface UpstreamsSettings {
  /** Accounts by name, as `sluice.yaml` has them. */
  upstreams: Readonly<Record<string, UpstreamAccount>>;
  timeouts: UpstreamTimeouts;
  limits: {
    /** Longest file that is fetched from an upstream. */
    downloadBytes: number;
    /** Longest picture that is fetched from a client's URL. */
    inputBytes: number;
  };
  /** Origins that may be fetched although their addresses are not public: the operator's `download.allow`. */
  allow: readonly string[];
  logger: UpstreamLogger;
  /** The time in Unix milliseconds; default the system's. */
  now?: () => number;
}

/** All configured upstreams, and the way in for clients' pictures. */
export interface Upstreams {
  /** By name in the configuration. */
  accounts: ReadonlyMap<string, Upstream>;
  /**
   * Fetches a picture from a URL that a client has given. Only the operator's allow list is exempt from the rule that
   * addresses must be public: a client cannot reach a configured upstream through it.
   * @throws GatewayError `invalid_request` when it may not be fetched or is no picture; any other error may pass.
   */
  fetchInput(this: void, url: string, signal: AbortSignal): Promise<FetchedInput>;
  /** Closes every connection; calls under way fail. */
  close(): Promise<void>;
}

/**
 * Builds every configured upstream. Opens nothing yet.
 * @throws Error for a kind that does not exist or an account that lacks what its kind needs.
 */
export function buildUpstreams(
  settings: UpstreamsSettings,
  kinds: readonly UpstreamKind[] = UPSTREAM_REGISTRY,
): Upstreams {
  const { allow, limits, timeouts, logger, now = Date.now } = settings;
  const configured = Object.entries(settings.upstreams);
  const idleMs = timeouts.downloadIdleMs;
  const http = createUpstreamHttp();
  const results = createDownload({
    allowOrigins: [...allow, ...configured.map(([, account]) => account.base_url)],
    maxBytes: limits.downloadBytes,
    idleMs,
  });
  const inputs = createDownload({ allowOrigins: allow, maxBytes: limits.inputBytes, idleMs });

  const accounts = new Map<string, Upstream>();
  for (const [name, account] of configured) {
    const kind = kinds.find((one) => one.kind === account.kind);
    if (kind === undefined) throw new Error(`upstream ${name}: there is no kind ${account.kind}`);
    const { fetchUpstream, openUpstream } = http;
    const context = { name, fetchUpstream, openUpstream, download: results.download, timeouts, logger, now };
    accounts.set(name, { kind: kind.kind, ...kind.build(account, context) });
  }

  return {
    accounts,
    fetchInput: (url, signal) => fetchInput(inputs.download, url, signal),
    close: async () => {
      await Promise.all([http.close(), results.close(), inputs.close()]);
    },
  };
}
