import type { TextCapability, TextProtocolName, TextTarget } from '@sluice/canonical';
import type { ResolvedModel, UpstreamConfig } from '@sluice/config';

export interface RoutedTarget {
  target: TextTarget;
  capability: TextCapability;
}

export interface TextTargetsInput {
  resolvedModel: Pick<ResolvedModel, 'targets'>;
  /** All upstreams. Those without a text capability are skipped. */
  accounts: ReadonlyMap<string, { text?: TextCapability }>;
  upstreams: Readonly<Record<string, Pick<UpstreamConfig, 'base_url' | 'api_key'>>>;
  clientProtocol: TextProtocolName;
}

/** Returns a model's targets for clients of a protocol. Callers must not change them. */
export type TextTargetsOf = (
  resolvedModel: Pick<ResolvedModel, 'targets'>,
  clientProtocol: TextProtocolName,
) => readonly RoutedTarget[];

/** Caches {@link textTargets}, because upstreams do not change while the process runs. */
export function createTextTargets(options: Pick<TextTargetsInput, 'accounts' | 'upstreams'>): TextTargetsOf {
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
function textTargets({ resolvedModel, accounts, upstreams, clientProtocol }: TextTargetsInput): RoutedTarget[] {
  const ordered: RoutedTarget[] = [];
  let run: RoutedTarget[] = [];
  let runVendor: string | undefined;
  const rank = ({ target }: RoutedTarget) => Number(target.protocol === clientProtocol);
  const endRun = () => ordered.push(...run.toSorted((one, other) => rank(other) - rank(one)));
  for (const { upstream, model, quirks } of resolvedModel.targets) {
    const capability = accounts.get(upstream)?.text;
    if (!capability) continue;
    const { account, protocol } = capability;
    const vendor = vendorOf(upstream, model, upstreams[upstream]);
    if (vendor !== runVendor) {
      endRun();
      run = [];
      runVendor = vendor;
    }
    run.push({
      target: { upstream, account, protocol, model, quirks: { ...capability.quirks, ...quirks } },
      capability,
    });
  }
  endRun();
  return ordered;
}

/**
 * With an API key, all paths of a host belong to one account, because vendors use a path per protocol (`/anthropic`,
 * `/v1beta/openai`).
 */
function vendorOf(
  upstream: string,
  model: string,
  config: Pick<UpstreamConfig, 'base_url' | 'api_key'> | undefined,
): string {
  if (!config) return JSON.stringify([upstream]);
  const { base_url: base, api_key: key } = config;
  return JSON.stringify([model, key === undefined ? base : new URL(base).origin, key ?? null]);
}
