import type { TextCapability, TextProtocolName, TextTarget } from '@sluice/canonical';
import type { ResolvedModel, UpstreamConfig } from '@sluice/config';

export interface RoutedTarget {
  target: TextTarget;
  capability: TextCapability;
}

export interface TextTargetsInput {
  found: Pick<ResolvedModel, 'targets'>;
  /** The built upstreams; those without text are skipped. */
  accounts: ReadonlyMap<string, { text?: TextCapability }>;
  upstreams: Readonly<Record<string, Pick<UpstreamConfig, 'base_url' | 'api_key'>>>;
  clientProtocol: TextProtocolName;
}

/**
 * Keeps the order of the routes, except for consecutive routes to one model at one vendor account: the one in the
 * client's protocol comes first, so that bytes can be relayed.
 */
export function textTargets({ found, accounts, upstreams, clientProtocol }: TextTargetsInput): RoutedTarget[] {
  const ordered: RoutedTarget[] = [];
  let run: RoutedTarget[] = [];
  let runVendor: string | undefined;
  const speaks = ({ target }: RoutedTarget) => Number(target.protocol === clientProtocol);
  const endRun = () => ordered.push(...run.toSorted((one, other) => speaks(other) - speaks(one)));
  for (const { upstream, model, quirks } of found.targets) {
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
 * With an API key, all paths of a host are one account, since vendors have one for each protocol (`/anthropic`,
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
