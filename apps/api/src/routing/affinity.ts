import type { Metrics } from '@sluice/telemetry';
import type { CircuitBreakers } from './circuit-breaker.ts';

/**
 * Pins a conversation to a fallback upstream that served it.
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
  /** Pins the conversation to the upstream, or removes its pin if the first choice served it. */
  remember(targets: readonly Routed[], key: string, upstream: string): void;
}

interface PinConditions<T> {
  isHealthy: CircuitBreakers['isHealthy'];
  dependsOn: (pinned: T) => boolean;
}

interface Routed {
  target: { upstream: string };
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

  function pin(key: string, upstream: string): void {
    end(key);
    pins.set(key, { upstream, usedAt: now() });
    metrics.affinityPins.inc({ upstream });
    const [oldest] = pins.keys();
    if (pins.size > capacity && oldest !== undefined) end(oldest);
  }

  return {
    order(targets, key, { isHealthy, dependsOn }) {
      endExpired();
      const [first] = targets;
      const upstream = pins.get(key)?.upstream;
      const index = targets.findIndex(({ target }) => target.upstream === upstream);
      const pinned = targets[index];
      // The pinned upstream is not in the list if the configuration has changed or the upstream cannot serve this
      // request.
      if (!first || !pinned || upstream === undefined || index === 0) return targets;
      if (dependsOn(pinned)) pin(key, upstream);
      else if (isHealthy(first.target.upstream)) {
        end(key);
        return targets;
      }
      return [pinned, ...targets.filter((_target, at) => at !== index)];
    },

    remember(targets, key, upstream) {
      endExpired();
      if (targets.length < 2) return;
      if (targets[0]?.target.upstream === upstream) end(key);
      else if (pins.get(key)?.upstream !== upstream) pin(key, upstream);
    },
  };
}
