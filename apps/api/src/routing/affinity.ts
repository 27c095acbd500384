/** Keeps a conversation at the upstream that served it: prompt caches and sealed reasoning live there alone. */
export interface Affinity {
  /** The targets with that of the remembered upstream first; the others keep their order. */
  order<T extends Routed>(targets: readonly T[], key: string): readonly T[];
  /**
   * Notes which upstream has served. Nothing is kept while that is the first route, since that is where the next turn
   * goes anyway.
   * @param targets in the order of the configuration, not of {@link order}
   */
  remember(targets: readonly Routed[], key: string, upstream: string): void;
}

interface Routed {
  target: { upstream: string };
}

/** How much {@link Affinity} remembers. */
export interface AffinitySettings {
  /** Conversations; the one that was not used for longest is forgotten. Default 10,000. */
  capacity?: number;
  /** How long one is remembered after its last use, milliseconds. Default 1 h. */
  lifeMs?: number;
  /** The time in milliseconds. */
  now: () => number;
}

/** A memory of this process alone. Conversations go by `conversationKey`. */
export function createAffinity({ capacity = 10_000, lifeMs = 3_600_000, now }: AffinitySettings): Affinity {
  // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
  const served = new Map<string, { upstream: string; usedAt: number }>();

  function use(key: string, upstream: string): void {
    served.delete(key);
    served.set(key, { upstream, usedAt: now() });
  }

  return {
    order(targets, key) {
      if (targets.length < 2) return targets;
      const found = served.get(key);
      if (!found) return targets;
      if (now() - found.usedAt >= lifeMs) {
        served.delete(key);
        return targets;
      }
      use(key, found.upstream);
      const index = targets.findIndex(({ target }) => target.upstream === found.upstream);
      const remembered = targets[index];
      // The configuration may have changed, or a target cannot serve this request.
      if (!remembered || index === 0) return targets;
      return [remembered, ...targets.filter((_target, at) => at !== index)];
    },

    remember(targets, key, upstream) {
      if (targets.length < 2) return;
      if (targets[0]?.target.upstream === upstream) {
        served.delete(key);
        return;
      }
      use(key, upstream);
      if (served.size <= capacity) return;
      const [oldest] = served.keys();
      if (oldest !== undefined) served.delete(oldest);
    },
  };
}
