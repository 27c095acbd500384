import { describe, expect, it } from 'vitest';
import { videosEndpoints, videosProtocol } from './endpoints.ts';

describe('videos endpoints', () => {
  it('are the paths of published SDKs, and one to follow a task', () => {
    expect(videosEndpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/videos',
      'GET /v1/videos',
      'GET /v1/videos/:task_id',
      'DELETE /v1/videos/:task_id',
      'POST /v1/videos/:task_id/remix',
      'POST /v1/videos/:task_id/cancel',
      'GET /v1/videos/:task_id/events',
      'GET /v1/videos/:task_id/content',
    ]);
  });

  it('have separate actions in the videos protocol, with a Bearer key', () => {
    expect(new Set(videosEndpoints.map(({ action }) => action)).size).toBe(videosEndpoints.length);
    for (const endpoint of videosEndpoints) {
      expect(endpoint.protocol).toBe(videosProtocol);
      expect(endpoint.credentials).toContain('bearer');
    }
  });

  it('accept a file in every field that allows one', () => {
    expect(videosEndpoints[0].body.fileFields).toContain('input_reference');
  });
});
