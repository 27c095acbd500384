import { expect, it } from 'vitest';
import { defineEndpoints } from './endpoint.ts';
import { videosEndpoints } from '../videos/index.ts';

it('defineEndpoints gives back what it is given', () => {
  expect(defineEndpoints(videosEndpoints)).toBe(videosEndpoints);
});
