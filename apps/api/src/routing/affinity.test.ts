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

describe('createAffinity', () => {
  it('keeps the order of the routes for an unknown conversation', () => {
    expect(order('one')).toBe('abc');
  });

  it('puts the upstream that served the conversation first and keeps the order of the others', () => {
    affinity.remember(TARGETS, 'one', 'c');
    expect(order('one')).toBe('cab');
    expect(order('other')).toBe('abc');
  });

  it('forgets a conversation that returns to the first route', () => {
    affinity.remember(TARGETS, 'one', 'b');
    affinity.remember(TARGETS, 'one', 'a');
    expect(order('one')).toBe('abc');
  });

  it('stores no conversations of the first route', () => {
    affinity.remember(TARGETS, 'one', 'b');
    for (const key of ['two', 'three', 'four']) affinity.remember(TARGETS, key, 'a');
    expect(order('one')).toBe('bac');
  });

  it('forgets a conversation after its lifetime since the last use', () => {
    affinity.remember(TARGETS, 'one', 'b');
    time = 900;
    expect(order('one')).toBe('bac');
    time = 1_800;
    expect(order('one')).toBe('bac');
    time = 2_800;
    expect(order('one')).toBe('abc');
  });

  it('evicts the least recently used conversation when it is full', () => {
    affinity.remember(TARGETS, 'one', 'b');
    affinity.remember(TARGETS, 'two', 'b');
    order('one');
    affinity.remember(TARGETS, 'three', 'b');
    expect([order('one'), order('two'), order('three')]).toEqual(['bac', 'abc', 'bac']);
  });

  it('keeps the order when the remembered upstream is no longer a target', () => {
    affinity.remember(TARGETS, 'one', 'gone');
    expect(order('one')).toBe('abc');
  });

  it('does not modify its arguments', () => {
    affinity.remember(TARGETS, 'one', 'c');
    order('one');
    expect(TARGETS.map(({ target }) => target.upstream).join('')).toBe('abc');
  });

  it('stores nothing for a single target', () => {
    const alone = TARGETS.slice(0, 1);
    affinity.remember(alone, 'one', 'z');
    expect(order('one', alone)).toBe('a');
    expect(order('one')).toBe('abc');
  });
});
