import { expect, it } from 'vitest';
import { TaskSchema } from './schema.ts';

it('a task holds every field of the interface at its top', () => {
  const told = ['task_id', 'status', 'url', 'format', 'metadata', 'error'];
  expect(Object.keys(TaskSchema.shape)).toEqual(expect.arrayContaining(told));
});
