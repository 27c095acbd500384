import { GatewayError } from '@sluice/canonical';
import { withBody } from '@sluice/protocols';
import type { AlternativePlan, TextPlan } from '../../generation/plan-text.ts';
import { portableItems } from './portable-items.ts';
import type { StateDeps } from './resolve-items.ts';

/**
 * Plans a request that continues a vendor's response for the other upstreams, from the gateway's copies.
 * @param plan the request as the client sent it
 * @param isOfVendor whether a target can read the vendor's own copy
 * @returns undefined if no other upstream serves the model, or if a copy is missing
 */
export async function continueElsewhere(
  { responses }: Pick<StateDeps, 'responses'>,
  owner: string,
  plan: TextPlan,
  previousId: string,
  isOfVendor: (target: TextPlan['targets'][number]) => boolean,
): Promise<AlternativePlan | undefined> {
  const targets = plan.targets.filter((target) => !isOfVendor(target));
  if (targets.length === 0) return undefined;
  const before = await responses.chain(owner, previousId).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'previous_response_not_found') return undefined;
    throw error;
  });
  const { previous_response_id: _resolved, input, ...rest } = plan.request.body();
  const own = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const portable = before && portableItems([...before, ...(Array.isArray(own) ? (own as unknown[]) : [])]);
  if (!portable) return undefined;
  return {
    plan: { ...plan, targets, request: withBody(plan.request, { ...rest, input: portable.items }) },
    losses: portable.dropped.map((field) => ({ field, how: 'dropped' })),
  };
}
