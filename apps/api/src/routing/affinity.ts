/** Keeps a conversation at the upstream that served it, which alone has its prompt cache and encrypted reasoning. */
export interface Affinity {
  order<T extends Routed>(targets: readonly T[], key: string): readonly T[];
  /** Stores nothing for the first route, the default. @param targets in the order of the configuration */
  remember(targets: readonly Routed[], key: string, upstream: string): void;
}

interface Routed {
  target: { upstream: string };
}

export interface AffinitySettings {
  /** Maximum number of conversations, evicted by last use. Default 10,000. */
  capacity?: number;
  lifeMs?: number;
  now: () => number;
}

export function createAffinity({ capacity = 10_000, lifeMs = 3_600_000, now }: AffinitySettings): Affinity {
  // A Map keeps insertion order: the first entry is the least recently used.
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
