import { expect, it } from 'vitest';
import { VideoWishFormSchema, VideoWishSchema } from './video-wish-schema.ts';

it('documents the form with the same fields as the JSON body', () => {
  expect(Object.keys(VideoWishFormSchema.shape)).toEqual(Object.keys(VideoWishSchema.shape));
});

it('holds every field of the interface', () => {
  expect(Object.keys(VideoWishSchema.shape)).toEqual(
    expect.arrayContaining(['model', 'prompt', 'seconds', 'input_reference']),
  );
});
