import { expect, it } from 'vitest';
import { createTextFaults } from './text-faults.ts';

it('fails the first two calls with a text, for each vendor API', () => {
  const faults = createTextFaults();
  const tries = (wire: string, text: string) => [1, 2, 3].map(() => faults.next(wire, text));
  expect(tries('messages', 'a [429]')).toEqual(['throttled', 'throttled', undefined]);
  expect(tries('responses', 'a [429]')).toEqual(['throttled', 'throttled', undefined]);
  expect(tries('messages', 'b [429] [500]')).toEqual(['throttled', 'throttled', 'broken']);
});

it('always fails if the directive has no limit', () => {
  const faults = createTextFaults();
  for (const turn of [1, 2, 3]) {
    expect([turn, faults.next('messages', '[overloaded]')]).toEqual([turn, 'overloaded']);
    expect([turn, faults.next('messages', '[context]')]).toEqual([turn, 'context']);
    expect([turn, faults.next('messages', '[401]')]).toEqual([turn, 'unauthorized']);
  }
});
