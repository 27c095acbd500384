import { describe, expect, it } from 'vitest';
import { stemsOf } from './stems-of.ts';

describe('stemsOf', () => {
  it('makes forms of a word one', () => {
    expect(stemsOf('Paint, paints; PAINTED & painting!')).toEqual(['paint', 'paint', 'paint', 'paint']);
  });

  it('leaves short words whole', () => {
    expect(stemsOf('his ring is red')).toEqual(['his', 'ring', 'is', 'red']);
  });

  it('takes scripts without spaces by characters', () => {
    expect(stemsOf('纸船 boat')).toEqual(['纸', '船', 'boat']);
  });
});
