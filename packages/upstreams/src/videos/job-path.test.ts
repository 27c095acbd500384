import { expect, it } from 'vitest';
import { jobPath } from './job-path.ts';

it('encodes an id as one path segment', () => {
  expect(jobPath({ upstreamId: 'abc' }, '/content')).toBe('/videos/abc/content');
  expect(jobPath({ upstreamId: '../../admin?x=1#y' })).toBe('/videos/..%2F..%2Fadmin%3Fx%3D1%23y');
});
