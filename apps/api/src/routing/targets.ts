import type { TextCapability, TextProtocolName, TextTarget } from '@sluice/canonical';
import type { FoundModel, UpstreamConfig } from '@sluice/config';

/** A target and how it is reached. */
export interface RoutedTarget {
  target: TextTarget;
  capability: TextCapability;
}

/** What {@link textTargets} chooses from. */
export interface TextTargetsInput {
  found: Pick<FoundModel, 'targets'>;
  /** The upstreams that were built; those without text are passed over. */
  accounts: ReadonlyMap<string, { text?: TextCapability }>;
  /** The same upstreams as configured. */
  upstreams: Readonly<Record<string, Pick<UpstreamConfig, 'base_url' | 'api_key'>>>;
  /** The protocol that the client speaks. */
  clientProtocol: TextProtocolName;
}

/**
 * Where a model's text is served, in the order in which to try: the order of the routes, but that routes which stand
 * next to each other and lead to the same model at the same vendor's account are one vendor's ways of being asked. Of
 * these the one that speaks the client's protocol goes first, so that the bytes can be relayed.
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
 * Says when two routes lead to one thing. A key makes the account known at whichever path of the host, since vendors
 * have one for each protocol (`/anthropic`, `/v1beta/openai`); without a key only the whole address does.
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
