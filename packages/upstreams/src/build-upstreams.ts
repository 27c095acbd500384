import { authorizedContext } from './cloud/authorized-context.ts';
import { createIdentities, type Identities } from './identities.ts';
import { createDownload } from './http/guarded/download.ts';
import { fetchInput, type FetchedInput } from './http/guarded/fetch-input.ts';
import { createUpstreamHttp, type UpstreamHttp } from './http/fetch-upstream.ts';
import { openSocket } from './realtime/open-socket.ts';
import { createModelLister, type ListVendorModels } from './model-lists/list-vendor-models.ts';
import { UPSTREAM_REGISTRY } from './registry.ts';
import type {
  Upstream,
  UpstreamAccount,
  UpstreamContext,
  UpstreamKind,
  UpstreamLogger,
  UpstreamTimeouts,
} from './contract/upstream.ts';

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
  /** Connections that several versions of the configuration share. By default, the upstreams have their own. */
  connections?: UpstreamConnections;
  /** Unix milliseconds; default: the system clock. */
  now?: () => number;
}

/** The connections of a process to its upstreams. They outlive a reload of the configuration. */
export interface UpstreamConnections {
  readonly http: UpstreamHttp;
  readonly identities: Identities;
  /** Forgets unused identities, and closes the connections that no configured upstream needs, each when it is idle. */
  keepOnly(accounts: UpstreamsSettings['upstreams']): void;
  close(): Promise<void>;
}

export function openUpstreamConnections(): UpstreamConnections {
  const http = createUpstreamHttp();
  const identities = createIdentities(http.sendTokenRequest);
  return {
    http,
    identities,
    keepOnly(accounts) {
      const kept = Object.values(accounts);
      http.keepOnly(new Set(kept.map(({ base_url: url }) => new URL(url).origin)));
      identities.keepOnly(kept);
    },
    close: () => http.close(),
  };
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
  /** Closes its own connections, but not the shared ones. */
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
  const connections = settings.connections ?? openUpstreamConnections();
  const configured = Object.entries(settings.upstreams);
  const idleMs = timeouts.downloadIdleMs;
  const results = createDownload({
    allowOrigins: [...allow, ...configured.flatMap(([, account]) => originsOf(account))],
    maxBytes: limits.downloadBytes,
    idleMs,
  });
  const inputs = createDownload({ allowOrigins: allow, maxBytes: limits.inputBytes, idleMs });

  const accounts = new Map<string, Upstream>();
  for (const [name, account] of configured) {
    const kind = kinds.find((one) => one.kind === account.kind);
    if (kind === undefined) throw new Error(`upstream ${name}: unknown kind ${account.kind}`);
    const { fetchUpstream, openUpstream } = connections.http;
    const { download } = results;
    const context = { name, fetchUpstream, openUpstream, openSocket, download, timeouts, logger, now };
    accounts.set(name, { kind: kind.kind, ...kind.build(account, authorized(account, context, connections)) });
  }

  return {
    accounts,
    listVendorModels: createModelLister(results.download),
    fetchInput: (url, signal) => fetchInput(inputs.download, url, signal),
    close: async () => {
      await Promise.all([settings.connections ? undefined : connections.close(), results.close(), inputs.close()]);
    },
  };
}

/** The URLs of the vendor that the operator configured. */
function originsOf({ base_url: baseUrl, s3_endpoint: endpoint }: UpstreamAccount): string[] {
  return endpoint === undefined ? [baseUrl] : [baseUrl, endpoint];
}

function authorized(account: UpstreamAccount, context: UpstreamContext, { identities }: UpstreamConnections) {
  const { identity, base_url: baseUrl } = account;
  if (!identity) return context;
  return authorizedContext(context, baseUrl, identities.authorizerOf({ ...account, identity }, context));
}
