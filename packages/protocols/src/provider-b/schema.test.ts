import { expect, it } from 'vitest';
import { ResultSchema, SubmitSchema } from './schema.ts';

it('a submission holds every field of the interface', () => {
  const told = ['req_key', 'prompt', 'binary_data_base64'];
  expect(Object.keys(SubmitSchema.shape)).toEqual(expect.arrayContaining(told));
});

it('an answer holds every field of the interface', () => {
  expect(Object.keys(ResultSchema.shape)).toEqual(expect.arrayContaining(['code', 'message', 'data']));
});
