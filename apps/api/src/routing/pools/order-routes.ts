import type { RoutingPolicy } from '@sluice/config';
import { type Credential, hash32, mix32 } from '@sluice/limits';

/** A target that one credential serves. Targets of one route are next to each other. */
export interface Routable {
  target: { upstream: string; model?: string };
  pooled?: Credential | undefined;
  /** Of the route. */
  priority?: number | undefined;
  weight?: number | undefined;
}

interface Route<T> {
  targets: readonly T[];
  priority: number;
  weight: number;
  /** The route may get new conversations at any of these. */
  credentials: readonly T[];
}

/**
 * Returns targets in the order in which to try them: routes of the same priority by the policy, and the credentials of
 * a route after each other.
 *
 * A key chooses between credentials by weighted rendezvous hashing: every process makes the same choice for a
 * conversation without any memory, and if a credential cannot serve, only its own conversations move.
 * @param key an unsigned 32-bit integer, e.g. of the conversation
 */
export function orderRoutes<T extends Routable>(
  targets: readonly T[],
  policy: RoutingPolicy,
  key: () => number,
): readonly T[] {
  if (policy === 'priority' && !targets.some(({ pooled }) => pooled !== undefined)) return targets;
  const all = split(targets);
  const at = key();
  const ordered = policy === 'priority' ? all : byPriority(all, (group) => orderGroup(group, policy, at));
  return ordered.flatMap((route) => orderCredentials(route, policy, at));
}

function split<T extends Routable>(targets: readonly T[]): Route<T>[] {
  const routes: { targets: T[] }[] = [];
  let last: T | undefined;
  for (const target of targets) {
    const { upstream, model } = target.target;
    const isSame = last?.target.upstream === upstream && last.target.model === model && target.pooled !== undefined;
    if (isSame) routes.at(-1)?.targets.push(target);
    else routes.push({ targets: [target] });
    last = target;
  }
  return routes.map(({ targets: own }) => {
    const [first] = own;
    const usable = own.every(isUsable) ? own : own.filter(isUsable);
    return {
      targets: own,
      // A request that is bound to a credential may use it, whatever its weight.
      credentials: usable.length > 0 ? usable : own,
      priority: first?.priority ?? 1,
      weight: first?.weight ?? 1,
    };
  });
}

function isUsable({ pooled }: Routable): boolean {
  return pooled?.weight !== 0;
}

function byPriority<T>(routes: readonly Route<T>[], order: (group: readonly Route<T>[]) => Route<T>[]): Route<T>[] {
  const groups = Map.groupBy(routes, ({ priority }) => priority);
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : order(group)));
}

function orderGroup<T extends Routable>(group: readonly Route<T>[], policy: RoutingPolicy, key: number): Route<T>[] {
  const weighted = ranked(group, (route) => rendezvous(key, hashOf(route), route.weight));
  if (policy === 'weighted') return weighted;
  // The sort is stable, so equal routes keep the weighted order.
  return ranked(weighted, (route) =>
    policy === 'least_busy'
      ? sum(route.credentials, ({ pooled }) => loadOf(pooled)) / route.weight
      : Math.min(...route.credentials.map(({ pooled }) => pooled?.firstEventMs ?? 0)),
  );
}

function hashOf<T extends Routable>({ targets: [first] }: Route<T>): number {
  return hash32(`${first?.target.upstream} ${first?.target.model}`);
}

function orderCredentials<T extends Routable>(
  { targets, credentials }: Route<T>,
  policy: RoutingPolicy,
  key: number,
): readonly T[] {
  if (credentials.length === 1) return credentials;
  if (targets.length === 1) return targets;
  const spread = ranked(credentials, ({ pooled }) => rendezvous(key, pooled?.hash ?? 0, pooled?.weight ?? 1));
  if (policy === 'least_busy') return ranked(spread, ({ pooled }) => loadOf(pooled) / (pooled?.weight || 1));
  return policy === 'fastest' ? ranked(spread, ({ pooled }) => pooled?.firstEventMs ?? 0) : spread;
}

function loadOf(pooled: Credential | undefined): number {
  return pooled ? pooled.inFlight + pooled.inFlightElsewhere : 0;
}

/**
 * The score of weighted rendezvous hashing: -ln(u) / weight, of which the
 * smallest wins with a probability in proportion to its weight.
 */
function rendezvous(key: number, hash: number, weight: number): number {
  const uniform = (mix32(key ^ hash) + 1) / (2 ** 32 + 1);
  return -Math.log(uniform) / (weight || Number.MIN_VALUE);
}

function ranked<T>(items: readonly T[], score: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, score: score(item) }))
    .toSorted((one, other) => one.score - other.score)
    .map(({ item }) => item);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}

/** Spreads requests without a conversation at random. */
export function randomKey(): number {
  return (Math.random() * 2 ** 32) >>> 0;
}
