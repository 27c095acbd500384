import { describe, expect, it } from 'vitest';
import { stemsOf } from './stems-of.ts';

describe('stemsOf', () => {
  it('reduces word forms to one stem', () => {
    expect(stemsOf('Paint, paints; PAINTED & painting!')).toEqual(['paint', 'paint', 'paint', 'paint']);
  });

  it('keeps short words', () => {
    expect(stemsOf('his ring is red')).toEqual(['his', 'ring', 'is', 'red']);
  });

  it('splits scripts without spaces by character', () => {
    expect(stemsOf('纸船 boat')).toEqual(['纸', '船', 'boat']);
  });
});
