import { describe, expect, it } from 'vitest';
import { carriesBearerKey } from './bearer-key.ts';

describe('carriesBearerKey', () => {
  it('accepts the right key, with the scheme in any case', () => {
    expect(carriesBearerKey('Bearer sk-1', 'sk-1')).toBe(true);
    expect(carriesBearerKey('bearer  sk-1', 'sk-1')).toBe(true);
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer sk-2', 'Bearer sk-1 sk-1', 'Basic sk-1', 'sk-1'])(
    'rejects %s',
    (header) => {
      expect(carriesBearerKey(header, 'sk-1')).toBe(false);
    },
  );
});
