import { expect, it } from 'vitest';
import { videoTask } from '../../test/media-tasks.ts';
import { errorOf, videoOf, sizeOf, unixSeconds, updatedAt } from './task-facts.ts';

it('videoOf returns the properties of the finished file', () => {
  expect(videoOf(videoTask)).toEqual({ durationMs: 4_042, width: 1280, height: 720, fps: 24 });
  expect(videoOf({ ...videoTask, outputs: [] })).toBeUndefined();
});

it('sizeOf returns the requested size, or else the video’s', () => {
  const { size: _size, ...unsized } = videoTask;
  expect(sizeOf({ ...videoTask, size: '8x9' })).toBe('8x9');
  expect(sizeOf(unsized)).toBe('1280x720');
  expect(sizeOf({ ...unsized, outputs: [] })).toBeUndefined();
});

it('errorOf always has a code and a message, and no other field of the record', () => {
  const error = { code: 'content_policy', message: 'No.', secret: 1 } as const;
  expect(errorOf({ ...videoTask, error })).toEqual({ code: 'content_policy', message: 'No.' });
  expect(errorOf({ ...videoTask, status: 'canceled' }).code).toBe('canceled');
  expect(errorOf({ ...videoTask, status: 'failed' }).code).toBe('provider_error');
});

it('unixSeconds never rounds up', () => {
  expect(unixSeconds(1_999)).toBe(1);
});

it('updatedAt is the time of the last known change', () => {
  expect(updatedAt(videoTask)).toBe(videoTask.completedAt);
  const { completedAt: _completed, ...open } = videoTask;
  expect(updatedAt(open)).toBe(open.createdAt);
  expect(updatedAt({ ...open, submittedAt: 1, polledAt: open.createdAt + 9 })).toBe(open.createdAt + 9);
});
