import { expect, it } from 'vitest';
import { ResultSchema, SubmitSchema } from './schema.ts';

it('contains every documented field of a submission', () => {
  const documented = ['req_key', 'prompt', 'binary_data_base64'];
  expect(Object.keys(SubmitSchema.shape)).toEqual(expect.arrayContaining(documented));
});

it('contains every documented field of a response', () => {
  expect(Object.keys(ResultSchema.shape)).toEqual(expect.arrayContaining(['code', 'message', 'data']));
});
