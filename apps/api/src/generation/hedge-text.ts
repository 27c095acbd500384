import type { TextOperation } from '@sluice/canonical';
import type { Hedge } from '../routing/hedging/hedge.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { isIdempotent } from '../routing/hedging/is-idempotent.ts';
import type { TextPlan } from './plan-text.ts';
import type { OpenedResponse } from './request-completion.ts';

/** Returns how the request is hedged. Undefined if the model does not configure it. */
export function hedgeText(
  { charges }: Pick<GenerationDeps, 'charges'>,
  { request: httpRequest, reply }: TextCall,
  { request, resolvedModel, targets }: TextPlan,
  operation: TextOperation,
): Hedge<RoutedTarget, OpenedResponse> | undefined {
  const { hedge_ms: afterMs } = resolvedModel.model;
  if (afterMs === undefined || operation !== 'generate' || targets.length < 2) return undefined;
  return {
    afterMs,
    isIdempotent: ({ target }) => isIdempotent(request, target.protocol),
    onLost: ({ target }) => {
      const cost = charges.chargeHedge(httpRequest, target);
      void reply.header('x-sluice-hedged', target.upstream);
      if (cost !== undefined) void reply.header('x-sluice-hedge-cost', cost.toFixed(9));
    },
    discard: ({ feed, trace }) => {
      trace?.end({ type: 'aborted' });
      feed?.abort();
    },
  };
}
