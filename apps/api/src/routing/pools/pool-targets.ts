import type { ModelTarget, ResolvedModel } from '@sluice/config';
import type { Credentials } from '@sluice/limits';
import { expandPools } from './expand-pools.ts';
import { orderRoutes, randomKey, type Routable } from './order-routes.ts';

interface RouteTarget {
  target: { upstream: string; model: string; credential?: string };
  route: ModelTarget;
}

/**
 * Returns the targets of a request without a conversation, in the order in which to try them. The credentials of a pool
 * and the routes of the policy `weighted` are chosen at random.
 * @param build returns the target, or an empty list if it cannot serve the request
 */
export function poolTargets<T extends Routable>(
  { targets, model: { policy = 'priority' } }: ResolvedModel,
  credentials: Pick<Credentials, 'poolOf'>,
  build: (route: RouteTarget) => T[],
): readonly T[] {
  const built = expandPools(targets, credentials).flatMap(({ route, credential, pooled }): T[] => {
    const { upstream, model, priority, weight } = route;
    const target = { upstream, model, ...(credential !== undefined && { credential }) };
    const own = build({ target, route });
    if (!pooled && priority === undefined && weight === undefined) return own;
    const added = { ...(pooled && { pooled }), priority, weight };
    return own.map((one) => Object.assign(one, added));
  });
  return orderRoutes(built, policy, randomKey);
}
