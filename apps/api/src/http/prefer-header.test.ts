import { describe, expect, it } from 'vitest';
import { preferredWait, prefersAsync } from './prefer-header.ts';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['respond-async', undefined],
  ['wait', undefined],
  ['wait=', undefined],
  ['wait=soon', undefined],
  ['wait=-5', undefined],
  ['wait=1.5', undefined],
  ['await=5', undefined],
  ['wait=0', 0],
  ['wait=10', 10],
  ['Wait=10', 10],
  ['wait="10"', 10],
  ['wait = 10', 10],
  ['respond-async, wait=10', 10],
  ['wait=10; foo', 10],
  ['wait=60', 60],
  ['wait=61', 60],
  ['wait=999999', 60],
  [['respond-async', 'wait=7'], 7],
])('parses Prefer: %j as %j seconds', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});

describe('Prefer: respond-async', () => {
  it.each(['respond-async', 'wait=5, respond-async', 'Respond-Async; foo=bar', ['return=minimal', 'respond-async']])(
    'is parsed from %j',
    (header) => expect(prefersAsync(header)).toBe(true),
  );

  it.each([undefined, '', 'wait=5', 'respond-asynchronously', 'x-respond-async'])('is not parsed from %j', (header) =>
    expect(prefersAsync(header)).toBe(false),
  );
});
