import { describe, expect, it } from 'vitest';
import { endUserNames } from './end-user.ts';

describe('endUserNames', () => {
  it('hashes with the secret, always in the same way', () => {
    const name = endUserNames('hash', 'secret-one');
    expect(name('alice')).toMatch(/^[0-9a-f]{32}$/);
    expect(endUserNames('hash', 'secret-one')('alice')).toBe(name('alice'));
    expect(name('bob')).not.toBe(name('alice'));
    expect(endUserNames('hash', 'secret-two')('alice')).not.toBe(name('alice'));
  });

  it('gives the same hash when its cache was full in between', () => {
    const name = endUserNames('hash', 'secret');
    const before = name('alice');
    for (let user = 0; user < 2_500; user++) name(`user ${user}`);
    expect(name('alice')).toBe(before);
  });

  it('cuts a plain name, and names no user if it is off', () => {
    expect(endUserNames('plain', 's')('a'.repeat(1_000))).toBe('a'.repeat(256));
    expect(endUserNames('off', 's')('alice')).toBeUndefined();
  });
});
