import { describe, expect, it } from 'vitest';
import { isChunkError } from './chunk-error.ts';

describe('isChunkError', () => {
  it.each([
    ['Failed to fetch dynamically imported module: https://x/console/assets/usage-x.js', true],
    ['error loading dynamically imported module: https://x/console/assets/usage-x.js', true],
    ['Importing a module script failed.', true],
    ['Unable to preload CSS for /console/assets/usage-x.css', true],
    ["Cannot read properties of undefined (reading 'map')", false],
  ])('of `%s` is %s', (message, expected) => {
    expect(isChunkError(new Error(message))).toBe(expected);
  });
});
