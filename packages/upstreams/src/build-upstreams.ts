import { createDownload } from './http/guarded/download.ts';
import { fetchInput, type FetchedInput } from './http/guarded/fetch-input.ts';
import { createUpstreamHttp } from './http/fetch-upstream.ts';
import { createModelLister, type ListVendorModels } from './model-lists/list-vendor-models.ts';
import { UPSTREAM_REGISTRY } from './registry.ts';
import type { Upstream, UpstreamAccount, UpstreamKind, UpstreamLogger, UpstreamTimeouts } from './contract/upstream.ts';

export interface UpstreamsSettings {
  upstreams: Readonly<Record<string, UpstreamAccount>>;
  timeouts: UpstreamTimeouts;
  limits: {
    downloadBytes: number;
    inputBytes: number;
  };
  /** The operator's `download.allow`: origins from which files may be fetched at any address. */
  allow: readonly string[];
  logger: UpstreamLogger;
  /** Unix milliseconds; default: the system clock. */
  now?: () => number;
}

export interface Upstreams {
  accounts: ReadonlyMap<string, Upstream>;
  /**
   * Fetches an image from a client's URL. Only origins in the operator's allow list may have private addresses, so a
   * client cannot reach a configured upstream.
   * @throws GatewayError `invalid_request` if the URL is forbidden or is not an image; rethrows other errors
   */
  fetchInput(this: void, url: string, signal: AbortSignal): Promise<FetchedInput>;
  listVendorModels: ListVendorModels;
  close(): Promise<void>;
}

/**
 * Builds every configured upstream. Opens no connections.
 * @throws Error if a kind is unknown or an account lacks settings that its kind requires
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
    if (kind === undefined) throw new Error(`upstream ${name}: unknown kind ${account.kind}`);
    const { fetchUpstream, openUpstream } = http;
    const context = { name, fetchUpstream, openUpstream, download: results.download, timeouts, logger, now };
    accounts.set(name, { kind: kind.kind, ...kind.build(account, context) });
  }

  return {
    accounts,
    listVendorModels: createModelLister(results.download),
    fetchInput: (url, signal) => fetchInput(inputs.download, url, signal),
    close: async () => {
      await Promise.all([http.close(), results.close(), inputs.close()]);
    },
  };
}
