import { expect, it } from 'vitest';
import { jobUrl, withoutSlash } from './account.ts';

const url = (upstreamId: string) => jobUrl({ baseUrl: 'https://v.example/v1/', upstreamId }, '/content');

it('a job’s URL stays under the base URL whatever the id holds', () => {
  expect(url('abc')).toBe('https://v.example/v1/videos/abc/content');
  expect(new URL(url('../../admin?x=1#y')).pathname).toBe('/v1/videos/..%2F..%2Fadmin%3Fx%3D1%23y/content');
});

it('slashes at the end of a base URL do not count', () => {
  expect(withoutSlash('https://v.example/v1//')).toBe('https://v.example/v1');
});
