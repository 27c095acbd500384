import { expect, it } from 'vitest';
import { bearer } from './bearer.ts';

it('spells a key as Bearer', () => {
  expect(bearer('k')).toEqual(['authorization', 'Bearer k']);
});
