import { expect, it } from 'vitest';
import { consoleOwner } from './console-owner.ts';

it('tells people apart, also with the same address', () => {
  expect(consoleOwner({ name: 'admin' })).toBe('console:admin');
  const one = consoleOwner({ name: 'ada@corp.test', subject: 'ada' });
  expect(one).toMatch(/^console:ada@corp\.test:[\da-f]{8}$/);
  expect(consoleOwner({ name: 'ada@corp.test', subject: 'other' })).not.toBe(one);
});

it('shortens names, and replaces characters that would need escapes', () => {
  expect(consoleOwner({ name: 'Ada  L\u00f6w:e', subject: 'ada' })).toMatch(/^console:Ada-L-w-e:[\da-f]{8}$/);
  expect(consoleOwner({ name: 'x'.repeat(500), subject: 'ada' })).toHaveLength(117);
  // A user cannot choose a name to be the owner of the admin key.
  expect(consoleOwner({ name: 'admin', subject: 'ada' })).not.toBe('console:admin');
});
