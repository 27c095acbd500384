import { accountName } from '@sluice/canonical';
import type { Metrics } from '@sluice/telemetry';

/**
 * Pins a conversation to a fallback upstream, or to another credential of a pool, that served it.
 *
 * A pin is created when a fallback serves the conversation. The pin ends when the first choice is healthy again,
 * because the operator prefers that upstream. While the conversation carries state that only the fallback's vendor can
 * read (e.g. encrypted reasoning), the pin continues, but at most for `lifeMs` after the last request with such state.
 */
export interface Affinity {
  /**
   * Moves the pinned target to the front.
   * @param targets in the order of the configuration
   * @param conditions.dependsOn whether the request carries state that only this target can read
   */
  order<T extends Routed>(targets: readonly T[], key: string, conditions: PinConditions<T>): readonly T[];
  /**
   * Pins the conversation to the target that served it, or removes its pin if the first choice did.
   * @param isSticky whether the first choice changes from request to request, so that the conversation is always pinned
   */
  remember(targets: readonly Routed[], key: string, served: Routed, isSticky?: boolean): void;
}

interface PinConditions<T> {
  isHealthy: (target: T) => boolean;
  dependsOn: (pinned: T) => boolean;
  /** See {@link Affinity.remember}. The pin then continues while its target is healthy. */
  isSticky?: boolean;
}

interface Routed {
  target: { upstream: string; credential?: string | undefined };
}

export interface AffinitySettings {
  /** Maximum number of pins, 10,000 by default. When it is exceeded, the least recently used pin is removed. */
  capacity?: number;
  lifeMs?: number;
  now: () => number;
  metrics: Pick<Metrics, 'affinityPins'>;
}

interface Pin {
  upstream: string;
  /** The upstream, or the credential of its pool. */
  account: string;
  usedAt: number;
}

export function createAffinity(settings: AffinitySettings): Affinity {
  const { capacity = 10_000, lifeMs = 3_600_000, now, metrics } = settings;
  // A Map keeps insertion order, so its first entry is the least recently used pin.
  const pins = new Map<string, Pin>();

  function end(key: string): void {
    const upstream = pins.get(key)?.upstream;
    if (upstream === undefined) return;
    pins.delete(key);
    metrics.affinityPins.dec({ upstream });
  }

  /** Stops at the first pin that is still valid, because the oldest come first. */
  function endExpired(): void {
    for (const [key, { usedAt }] of pins) {
      if (now() - usedAt < lifeMs) return;
      end(key);
    }
  }

  function pin(key: string, { upstream, account }: Omit<Pin, 'usedAt'>): void {
    end(key);
    pins.set(key, { upstream, account, usedAt: now() });
    metrics.affinityPins.inc({ upstream });
    const [oldest] = pins.keys();
    if (pins.size > capacity && oldest !== undefined) end(oldest);
  }

  return {
    order(targets, key, { isHealthy, dependsOn, isSticky = false }) {
      endExpired();
      const [first] = targets;
      const known = pins.get(key);
      const index = known ? targets.findIndex(({ target }) => accountName(target) === known.account) : -1;
      const pinned = targets[index];
      // The pinned target is not in the list if the configuration has changed or it cannot serve this request.
      if (!first || !pinned || !known || index === 0) return targets;
      if (dependsOn(pinned) || (isSticky && isHealthy(pinned))) pin(key, known);
      else if (isHealthy(first)) {
        end(key);
        return targets;
      }
      return [pinned, ...targets.filter((_target, at) => at !== index)];
    },

    remember(targets, key, { target }, isSticky = false) {
      endExpired();
      const [first] = targets;
      if (!first || targets.length < 2) return;
      const account = accountName(target);
      if (!isSticky && accountName(first.target) === account) end(key);
      else if (pins.get(key)?.account !== account) pin(key, { upstream: target.upstream, account });
    },
  };
}
