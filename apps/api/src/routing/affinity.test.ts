import { createMetrics, type Metrics } from '@sluice/telemetry';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAffinity, type Affinity } from './affinity.ts';

const TARGETS = ['a', 'b', 'c'].map((upstream) => ({ target: { upstream } }));

let time: number;
let affinity: Affinity;
let metrics: Metrics;
let isHealthy: boolean;
/** The upstream that holds the conversation's state. */
let stateOf: string;

beforeEach(() => {
  time = 0;
  isHealthy = false;
  stateOf = '';
  metrics = createMetrics();
  affinity = createAffinity({ capacity: 2, lifeMs: 1_000, now: () => time, metrics });
});

function order(key: string, targets = TARGETS): string {
  const dependsOn = ({ target }: (typeof TARGETS)[number]) => target.upstream === stateOf;
  return affinity
    .order(targets, key, { isHealthy: ({ target }) => target.upstream === 'a' && isHealthy, dependsOn })
    .map(({ target }) => target.upstream)
    .join('');
}

function at(upstream: string) {
  return { target: { upstream } };
}

async function pins(): Promise<Record<string, number>> {
  const { values } = await metrics.affinityPins.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.upstream, value]));
}

interface Member {
  target: { upstream: string; credential: string };
}

describe('createAffinity', () => {
  it('keeps the order of the routes for an unknown conversation', () => {
    expect(order('one')).toBe('abc');
  });

  it('puts the upstream that served the conversation first and keeps the order of the others', () => {
    affinity.remember(TARGETS, 'one', at('c'));
    expect(order('one')).toBe('cab');
    expect(order('other')).toBe('abc');
  });

  it('ends a pin when the first choice is healthy', () => {
    affinity.remember(TARGETS, 'one', at('b'));
    isHealthy = true;
    expect(order('one')).toBe('abc');
    isHealthy = false;
    expect(order('one')).toBe('abc');
  });

  it('keeps a pin while the conversation carries state of the pinned upstream', () => {
    affinity.remember(TARGETS, 'one', at('b'));
    isHealthy = true;
    stateOf = 'b';
    expect(order('one')).toBe('bac');
    stateOf = 'c';
    expect(order('one')).toBe('abc');
  });

  it('ends a pin when the first choice serves the conversation', () => {
    affinity.remember(TARGETS, 'one', at('b'));
    affinity.remember(TARGETS, 'one', at('a'));
    expect(order('one')).toBe('abc');
  });

  it('stores no conversations of the first route', () => {
    affinity.remember(TARGETS, 'one', at('b'));
    for (const key of ['two', 'three', 'four']) affinity.remember(TARGETS, key, at('a'));
    expect(order('one')).toBe('bac');
  });

  it('does not renew a pin without state', () => {
    affinity.remember(TARGETS, 'one', at('b'));
    time = 900;
    expect(order('one')).toBe('bac');
    affinity.remember(TARGETS, 'one', at('b'));
    time = 1_000;
    expect(order('one')).toBe('abc');
  });

  it('renews a pin with state on each use', () => {
    stateOf = 'b';
    affinity.remember(TARGETS, 'one', at('b'));
    time = 900;
    expect(order('one')).toBe('bac');
    time = 1_800;
    expect(order('one')).toBe('bac');
    time = 2_800;
    expect(order('one')).toBe('abc');
  });

  it('ends the least recently used pin when it is full', () => {
    stateOf = 'b';
    affinity.remember(TARGETS, 'one', at('b'));
    affinity.remember(TARGETS, 'two', at('b'));
    order('one');
    affinity.remember(TARGETS, 'three', at('b'));
    expect([order('one'), order('two'), order('three')]).toEqual(['bac', 'abc', 'bac']);
  });

  it('counts the pins of each upstream', async () => {
    affinity.remember(TARGETS, 'one', at('b'));
    affinity.remember(TARGETS, 'two', at('c'));
    affinity.remember(TARGETS, 'two', at('c'));
    expect(await pins()).toEqual({ b: 1, c: 1 });
    affinity.remember(TARGETS, 'two', at('b'));
    expect(await pins()).toEqual({ b: 2, c: 0 });
    time = 1_000;
    order('other');
    expect(await pins()).toEqual({ b: 0, c: 0 });
  });

  it('keeps the order when the remembered upstream is no longer a target', () => {
    affinity.remember(TARGETS, 'one', at('removed'));
    expect(order('one')).toBe('abc');
  });

  it('does not modify its arguments', () => {
    affinity.remember(TARGETS, 'one', at('c'));
    order('one');
    expect(TARGETS.map(({ target }) => target.upstream).join('')).toBe('abc');
  });

  it('stores nothing for a single target', () => {
    const alone = TARGETS.slice(0, 1);
    affinity.remember(alone, 'one', at('z'));
    expect(order('one', alone)).toBe('a');
    expect(order('one')).toBe('abc');
  });

  it('pins a credential of a pool', () => {
    const [one, two] = ['one', 'two'].map((credential) => ({ target: { upstream: 'p', credential } })) as [
      Member,
      Member,
    ]; // The cast is safe because the list has two items.
    const pool = [one, two];
    const first = () =>
      affinity.order(pool, 'key', { isHealthy: () => false, dependsOn: () => false })[0]?.target.credential;
    affinity.remember(pool, 'key', two);
    expect(first()).toBe('two');
    affinity.remember(pool, 'key', one);
    expect(first()).toBe('one');
  });

  it('keeps a sticky pin while its target is healthy, even if the first choice is healthy too', () => {
    const conditions = { dependsOn: () => false, isSticky: true };
    const first = (isWell: (upstream: string) => boolean) =>
      affinity.order(TARGETS, 'one', { ...conditions, isHealthy: ({ target }) => isWell(target.upstream) })[0]?.target;
    affinity.remember(TARGETS, 'one', at('b'), true);
    expect(first(() => true)).toEqual({ upstream: 'b' });
    expect(first((upstream) => upstream !== 'b')).toEqual({ upstream: 'a' });
  });
});
