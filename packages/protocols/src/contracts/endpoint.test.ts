import { expect, it } from 'vitest';
import { defineEndpoints } from './endpoint.ts';
import { videosEndpoints } from '../videos/index.ts';

it('defineEndpoints returns its input', () => {
  expect(defineEndpoints(videosEndpoints)).toBe(videosEndpoints);
});
