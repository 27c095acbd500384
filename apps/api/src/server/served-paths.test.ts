import { describe, expect, it } from 'vitest';
import { methodsOf } from './served-paths.ts';

describe('methodsOf', () => {
  it('returns the methods of a path, and none for an unknown path', () => {
    expect(methodsOf('/v1/videos')).toEqual(['POST', 'GET', 'HEAD']);
    expect(methodsOf('/v1/videos/x/cancel')).toEqual(['POST']);
    expect(methodsOf('/v1/videosx')).toEqual([]);
    expect(methodsOf('/v1/videos/x/y')).toEqual([]);
  });
});
