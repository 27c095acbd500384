import { expect, it } from 'vitest';
import { TaskSchema } from './schema.ts';

it('contains every documented field of a task at its top', () => {
  const documented = ['task_id', 'status', 'url', 'format', 'metadata', 'error'];
  expect(Object.keys(TaskSchema.shape)).toEqual(expect.arrayContaining(documented));
});
