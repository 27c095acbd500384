import type { Credential, Credentials } from '@sluice/limits';

/** A route to one credential. */
export interface PooledRoute<R> {
  route: R;
  /** Undefined if the upstream has no state to keep. */
  pooled?: Credential | undefined;
  /** Name of the pool's credential. */
  credential?: string | undefined;
}

/**
 * Returns the routes by `priority`, and one route for each credential of a pool. Credentials with `weight: 0` are
 * included, because stored responses may need them.
 */
export function expandPools<R extends { upstream: string; priority?: number | undefined }>(
  routes: readonly R[],
  credentials: Pick<Credentials, 'poolOf'> | undefined,
): PooledRoute<R>[] {
  const sorted = routes.some(({ priority }) => priority !== undefined)
    ? routes.toSorted((one, other) => (one.priority ?? 1) - (other.priority ?? 1))
    : routes;
  return sorted.flatMap((route): PooledRoute<R>[] => {
    const pool = credentials?.poolOf(route.upstream);
    return pool ? pool.map((pooled) => ({ route, pooled, credential: pooled.name })) : [{ route }];
  });
}
