import { describe, expect, it } from 'vitest';
import { arkModelOf, resolveModelName } from './ark-models.ts';

describe('arkModelOf', () => {
  it.each([
    ['doubao-seedance-2-0-260128', 15, 9],
    ['dreamina-seedance-2-0-fast-260128', 15, 9],
    ['seedance-1-5-pro-251215', 12, 0],
    ['doubao-seedance-1-0-pro-250528', 12, 0],
    ['doubao-seedance-1-0-lite-i2v-250428', 12, 4],
    ['ep-20260101-abcde', 12, 0],
  ])('returns the rules of %s', (name, longest, references) => {
    const model = arkModelOf(name);
    expect([model?.seconds.at(-1), model?.references.images]).toEqual([longest, references]);
  });

  it('distinguishes the faster models', () => {
    expect(arkModelOf('doubao-seedance-2-0-fast-260128')?.resolutions).toEqual(['480p', '720p']);
    expect(arkModelOf('doubao-seedance-2-0-260128')?.resolutions).toContain('4k');
    expect(arkModelOf('doubao-seedance-1-0-pro-fast-251015')?.frames).toBe(1);
    expect(arkModelOf('doubao-seedance-1-0-pro-250528')?.frames).toBe(2);
  });

  it.each(['', 'seedance', 'doubao-seedream-4-0', 'seedance-3-0', 'ep-', 'wan2.6-t2v'])(
    'returns nothing for %j',
    (name) => {
      expect(arkModelOf(name)).toBeUndefined();
    },
  );
});

it('resolveModelName resolves endpoint ids', () => {
  expect(resolveModelName('ep-20260101-abcde')).toBe('doubao-seedance-1-0-pro-250528');
  expect(resolveModelName('seedance-2-0')).toBe('seedance-2-0');
});
