import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it('returns a short quoted text without control characters for any input', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const shown = printable(text);
      // eslint-disable-next-line no-control-regex -- the test checks for control characters
      expect(shown).toMatch(/^`[^\u0000-\u001f]*`$/);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThan(600);
    }),
  );
});

it('leaves ordinary text unchanged', () => {
  expect(printable('video-2')).toBe('`video-2`');
  expect(printable('x'.repeat(81))).toBe(`\`${'x'.repeat(80)}…\``);
});
