import { expect, it } from 'vitest';
import { VideoParamsFormSchema, VideoParamsSchema } from './video-params-schema.ts';

it('documents the form with the same fields as the JSON body', () => {
  expect(Object.keys(VideoParamsFormSchema.shape)).toEqual(Object.keys(VideoParamsSchema.shape));
});

it('documents every field of the interface', () => {
  expect(Object.keys(VideoParamsSchema.shape)).toEqual(
    expect.arrayContaining(['model', 'prompt', 'seconds', 'input_reference']),
  );
});
