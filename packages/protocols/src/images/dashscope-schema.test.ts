import { expect, it } from 'vitest';
import { DashScopeImagesSchema } from './dashscope-schema.ts';

it('holds every field of the interface', () => {
  const { input, parameters } = DashScopeImagesSchema.shape;
  expect(Object.keys(DashScopeImagesSchema.shape)).toEqual(expect.arrayContaining(['model', 'input', 'parameters']));
  expect(Object.keys(input.shape)).toEqual(['messages']);
  const told = ['negative_prompt', 'prompt_extend', 'watermark', 'size', 'n'];
  expect(Object.keys(parameters.unwrap().shape)).toEqual(expect.arrayContaining(told));
});
