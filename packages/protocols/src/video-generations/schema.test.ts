import { expect, it } from 'vitest';
import { VideoSchema } from '../media/video-object.ts';
import { CreatedVideoSchema } from './schema.ts';

it('has all fields of a video and its id under both names', () => {
  expect(Object.keys(CreatedVideoSchema.shape)).toEqual([...Object.keys(VideoSchema.shape), 'task_id']);
});
