import { randomInt } from 'node:crypto';
import { Credential, type CredentialSettings, hash32 } from '@sluice/limits';
import { describe, expect, it } from 'vitest';
import { orderRoutes, type Routable } from './order-routes.ts';

const HOOKS = { now: () => 0, onChange: () => undefined };

interface Target extends Routable {
  target: { upstream: string; model: string; credential?: string };
}

function pool(upstream: string, weights: Record<string, number>): Target[] {
  return Object.entries(weights).map(([name, weight]) => {
    const settings: CredentialSettings = { account: `${upstream}.${name}`, upstream, name, weight };
    return { target: { upstream, model: 'm', credential: name }, pooled: new Credential(settings, HOOKS) };
  });
}

function route(upstream: string, weight: number, priority?: number): Target {
  return { target: { upstream, model: 'm' }, weight, ...(priority !== undefined && { priority }) };
}

const nameOf = (target: Target | undefined): string => target?.target.credential ?? target?.target.upstream ?? '';

/** The share of keys whose first choice is each name. */
function shares(targets: readonly Target[], policy: Parameters<typeof orderRoutes>[1], keys = 20_000) {
  const counts: Record<string, number> = {};
  for (let key = 0; key < keys; key += 1) {
    const name = nameOf(orderRoutes(targets, policy, () => hash32(`key ${key}`))[0]);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / keys]));
}

/** Random pools, for properties that hold for all of them. */
function randomPools(): Record<string, number>[] {
  return Array.from({ length: 20 }, () =>
    Object.fromEntries(
      Array.from({ length: randomInt(2, 9) }, (_, at) => [`c${at}-${randomInt(1_000)}`, randomInt(1, 9)]),
    ),
  );
}

describe('orderRoutes', () => {
  it('chooses credentials in proportion to their weights', () => {
    for (const weights of randomPools()) {
      const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      const found = shares(pool('acme', weights), 'priority');
      for (const [name, weight] of Object.entries(weights)) {
        // More than five standard deviations of 20,000 choices.
        expect(Math.abs((found[name] ?? 0) - weight / total)).toBeLessThan(0.02);
      }
    }
  });

  it('makes the same choice in every process, whatever the order of the configuration', () => {
    for (const weights of randomPools()) {
      const [one, other] = [pool('acme', weights), pool('acme', weights).toReversed()];
      for (let key = 0; key < 100; key += 1) {
        const at = () => hash32(`key ${key}`);
        expect(orderRoutes(one, 'priority', at).map(nameOf)).toEqual(orderRoutes(other, 'priority', at).map(nameOf));
      }
    }
  });

  it('moves only the conversations of a credential that is removed, and spreads them over the others', () => {
    for (const weights of randomPools()) {
      const all = pool('acme', weights);
      const removed = nameOf(all[0]);
      const rest = all.slice(1);
      for (let key = 0; key < 200; key += 1) {
        const at = () => hash32(`key ${key}`);
        const before = orderRoutes(all, 'priority', at).map(nameOf);
        expect(orderRoutes(rest, 'priority', at).map(nameOf)).toEqual(before.filter((name) => name !== removed));
      }
    }
  });

  it('returns lists without pools unchanged with the policy `priority`', () => {
    const targets: Target[] = ['a', 'b'].map((upstream) => ({ target: { upstream, model: 'm' } }));
    expect(orderRoutes(targets, 'priority', () => 7)).toBe(targets);
  });

  it('gives no conversations to a credential with weight 0, unless it is the only one', () => {
    const targets = pool('acme', { one: 1, old: 0 });
    expect(orderRoutes(targets, 'priority', () => 7).map(nameOf)).toEqual(['one']);
    expect(orderRoutes(targets.slice(1), 'priority', () => 7).map(nameOf)).toEqual(['old']);
  });

  it('tries all credentials of an upstream before the next route', () => {
    const targets = [...pool('first', { a: 1, b: 1 }), ...pool('second', { c: 1, d: 1 })];
    for (let key = 0; key < 50; key += 1) {
      const names = orderRoutes(targets, 'priority', () => hash32(String(key))).map(nameOf);
      expect([names.slice(0, 2).toSorted(), names.slice(2).toSorted()]).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
    }
  });

  it('chooses routes of the same priority in proportion to their weights', () => {
    const found = shares([route('a', 3), route('b', 1), route('c', 9, 2)], 'weighted');
    expect(Object.keys(found).toSorted()).toEqual(['a', 'b']);
    expect(Math.abs((found['a'] ?? 0) - 0.75)).toBeLessThan(0.02);
    const last = orderRoutes([route('a', 3), route('b', 1), route('c', 9, 2)], 'weighted', () => 5).at(-1);
    expect(nameOf(last)).toBe('c');
  });

  it('prefers the least busy credential and route, by weight', () => {
    const targets = [...pool('first', { a: 1, b: 2 }), ...pool('second', { c: 1 })];
    const set = (name: string, load: Partial<Credential>) =>
      Object.assign(targets.find((target) => nameOf(target) === name)?.pooled ?? {}, load);
    const first = () => nameOf(orderRoutes(targets, 'least_busy', () => 5)[0]);
    set('a', { inFlight: 2 });
    set('b', { inFlight: 1 });
    set('c', { inFlight: 9 });
    expect(first()).toBe('b');
    set('b', { inFlightElsewhere: 9 });
    expect(first()).toBe('c');
  });

  it('prefers the credential whose first events arrive fastest', () => {
    const targets = pool('acme', { a: 1, b: 1 });
    targets[0]?.pooled?.observeFirstEvent(500);
    targets[1]?.pooled?.observeFirstEvent(100);
    expect(nameOf(orderRoutes(targets, 'fastest', () => 5)[0])).toBe('b');
    for (let sample = 0; sample < 20; sample += 1) targets[1]?.pooled?.observeFirstEvent(900);
    expect(nameOf(orderRoutes(targets, 'fastest', () => 5)[0])).toBe('a');
  });
});
