import type { Loss, TextTarget, Usage } from '@sluice/canonical';
import { servedHeaders } from '../generation/respond-to-client.ts';
import { meterUsage } from '../generation/meter-text.ts';
import { lostFields } from '../generation/request-completion.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';

/** What a call that is no plain answer, such as a compaction, came from and cost. */
export interface ServedCall {
  target: Pick<TextTarget, 'upstream' | 'model'>;
  relayed: boolean;
  /** Of the upstream's answer, those that a relayed client may see. */
  headers?: Readonly<Record<string, string>>;
  usage?: Usage;
  losses?: readonly Loss[];
}

/**
 * Tells the call's log line and the metrics of it.
 * @returns the headers that tell the client
 */
export function recordServed(
  deps: Pick<GenerationDeps, 'metrics'>,
  { request }: Pick<TextCall, 'request'>,
  served: ServedCall,
): Record<string, string> {
  const { target, relayed, headers = {}, usage, losses = [] } = served;
  const { upstream, model } = target;
  const dropped = lostFields(losses);
  request.served = {
    upstream,
    upstream_model: model,
    relayed,
    usage: () => usage,
    ...(dropped.length > 0 && { dropped }),
  };
  if (usage) meterUsage(deps, upstream, usage);
  return servedHeaders({ routed: { target }, exchange: { isRelayed: relayed, losses }, headers });
}
