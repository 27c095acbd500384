import { accountName, type TextCapability, type TextProtocolName, type TextTarget } from '@sluice/canonical';
import type { ResolvedModel, UpstreamConfig } from '@sluice/config';
import type { Credentials } from '@sluice/limits';
import { expandPools } from './pools/expand-pools.ts';
import type { Routable } from './pools/order-routes.ts';

export interface RoutedTarget extends Routable {
  target: TextTarget;
  capability: TextCapability;
}

type VendorConfig = Pick<UpstreamConfig, 'base_url' | 'api_key' | 'credentials'>;

export interface TextTargetsInput {
  resolvedModel: Pick<ResolvedModel, 'targets'>;
  /** All upstreams. Those without a text capability are skipped. */
  accounts: ReadonlyMap<string, { text?: TextCapability }>;
  upstreams: Readonly<Record<string, VendorConfig>>;
  /** If omitted, no upstream has a pool. */
  credentials?: Pick<Credentials, 'poolOf'> | undefined;
  clientProtocol: TextProtocolName;
}

/** Returns a model's targets for clients of a protocol. Callers must not change them. */
export type TextTargetsOf = (
  resolvedModel: Pick<ResolvedModel, 'targets'>,
  clientProtocol: TextProtocolName,
) => readonly RoutedTarget[];

/** Caches {@link textTargets}, because upstreams do not change while the process runs. */
export function createTextTargets(
  options: Pick<TextTargetsInput, 'accounts' | 'upstreams' | 'credentials'>,
): TextTargetsOf {
  const cache = new WeakMap<object, Map<TextProtocolName, readonly RoutedTarget[]>>();
  return (resolvedModel, clientProtocol) => {
    let known = cache.get(resolvedModel.targets);
    if (!known) cache.set(resolvedModel.targets, (known = new Map()));
    let targets = known.get(clientProtocol);
    if (!targets) known.set(clientProtocol, (targets = textTargets({ ...options, resolvedModel, clientProtocol })));
    return targets;
  };
}

/**
 * Returns the targets in the order of the routes, with one exception. Among consecutive routes to one model at one
 * vendor account, a route in the client's protocol comes first, so that bytes can be relayed.
 */
function textTargets(input: TextTargetsInput): RoutedTarget[] {
  const { resolvedModel, accounts, upstreams, credentials, clientProtocol } = input;
  const ordered: RoutedTarget[] = [];
  let run: RoutedTarget[] = [];
  let runVendor: string | undefined;
  const rank = ({ target }: RoutedTarget) => Number(target.protocol === clientProtocol);
  const endRun = () => ordered.push(...run.toSorted((one, other) => rank(other) - rank(one)));
  for (const { route, credential, pooled } of expandPools(resolvedModel.targets, credentials)) {
    const { upstream, model, quirks, priority, weight } = route;
    const capability = accounts.get(accountName({ upstream, credential }))?.text;
    if (!capability) continue;
    const { account, protocol } = capability;
    const vendor = `${priority ?? 1} ${vendorOf(upstream, model, upstreams[upstream])}`;
    if (vendor !== runVendor) {
      endRun();
      run = [];
      runVendor = vendor;
    }
    run.push({
      target: {
        upstream,
        ...(credential !== undefined && { credential }),
        account,
        protocol,
        model,
        quirks: { ...capability.quirks, ...quirks },
      },
      capability,
      ...(pooled && { pooled }),
      ...(priority !== undefined && { priority }),
      ...(weight !== undefined && { weight }),
    });
  }
  endRun();
  return ordered;
}

/**
 * With an API key, all paths of a host belong to one account, because vendors use a path per protocol (`/anthropic`,
 * `/v1beta/openai`).
 */
function vendorOf(upstream: string, model: string, config: VendorConfig | undefined): string {
  if (!config) return JSON.stringify([upstream]);
  const { base_url: base, credentials, api_key: key = credentials?.map((one) => one.api_key).join(' ') } = config;
  return JSON.stringify([model, key === undefined ? base : new URL(base).origin, key ?? null]);
}
