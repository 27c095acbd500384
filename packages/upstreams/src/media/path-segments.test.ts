import { expect, it } from 'vitest';
import { pathSegments } from './path-segments.ts';

it.each([
  ['model', ['model']],
  ['org/a b?c#d:e', ['org', 'a%20b%3Fc%23d%3Ae']],
  ['lone\uD800', ['lone%EF%BF%BD']],
])('splits the name %j into the segments %j', (name, segments) => {
  expect(pathSegments(name)).toEqual(segments);
});

it.each(['', '/', '..', 'a/../b', './a', 'a//b', 'a/'])('refuses the model name %j', (name) => {
  expect(() => pathSegments(name)).toThrow('Model does not exist.');
});
