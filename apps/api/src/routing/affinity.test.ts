import { beforeEach, describe, expect, it } from 'vitest';
import { createAffinity, type Affinity } from './affinity.ts';

const TARGETS = ['a', 'b', 'c'].map((upstream) => ({ target: { upstream } }));

let time: number;
let affinity: Affinity;

beforeEach(() => {
  time = 0;
  affinity = createAffinity({ capacity: 2, lifeMs: 1_000, now: () => time });
});

function order(key: string, targets = TARGETS): string {
  return affinity
    .order(targets, key)
    .map(({ target }) => target.upstream)
    .join('');
}

describe('stickiness', () => {
  it('keeps the order of the routes for a conversation that it does not know', () => {
    expect(order('one')).toBe('abc');
  });

  it('puts the upstream that served the conversation first and leaves the others in order', () => {
    affinity.remember(TARGETS, 'one', 'c');
    expect(order('one')).toBe('cab');
    expect(order('other')).toBe('abc');
  });

  it('forgets a conversation that is back at the first route', () => {
    affinity.remember(TARGETS, 'one', 'b');
    affinity.remember(TARGETS, 'one', 'a');
    expect(order('one')).toBe('abc');
  });

  it('spends no room on conversations of the first route', () => {
    affinity.remember(TARGETS, 'one', 'b');
    for (const key of ['two', 'three', 'four']) affinity.remember(TARGETS, key, 'a');
    expect(order('one')).toBe('bac');
  });

  it('forgets what was not used for its life, counted from the last use', () => {
    affinity.remember(TARGETS, 'one', 'b');
    time = 900;
    expect(order('one')).toBe('bac');
    time = 1_800;
    expect(order('one')).toBe('bac');
    time = 2_800;
    expect(order('one')).toBe('abc');
  });

  it('forgets the conversation that was not used for longest when it is full', () => {
    affinity.remember(TARGETS, 'one', 'b');
    affinity.remember(TARGETS, 'two', 'b');
    order('one');
    affinity.remember(TARGETS, 'three', 'b');
    expect([order('one'), order('two'), order('three')]).toEqual(['bac', 'abc', 'bac']);
  });

  it('keeps the order when the remembered upstream is no target any more', () => {
    affinity.remember(TARGETS, 'one', 'gone');
    expect(order('one')).toBe('abc');
  });

  it('changes nothing that it is given', () => {
    affinity.remember(TARGETS, 'one', 'c');
    order('one');
    expect(TARGETS.map(({ target }) => target.upstream).join('')).toBe('abc');
  });

  it('has nothing to say where there is only one target', () => {
    const alone = TARGETS.slice(0, 1);
    affinity.remember(alone, 'one', 'z');
    expect(order('one', alone)).toBe('a');
    expect(order('one')).toBe('abc');
  });
});
