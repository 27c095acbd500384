import { expect, it } from 'vitest';
import { ImagesSchema, ImageSizeSchema, OpenAiImagesFormSchema, OpenAiImagesSchema } from './schema.ts';

it('has the same fields in the form as in the JSON body', () => {
  expect(Object.keys(OpenAiImagesFormSchema.shape)).toEqual(Object.keys(OpenAiImagesSchema.shape));
});

it('contains every documented field in a response', () => {
  expect(Object.keys(ImagesSchema.shape)).toEqual(expect.arrayContaining(['created', 'data']));
  expect(Object.keys(ImagesSchema.shape.data.element.shape)).toEqual(['url', 'b64_json', 'revised_prompt']);
});

it.each([
  ['1024x1024', '1024x1024'],
  ['1328*1328', '1328x1328'],
  ['auto', undefined],
])('reads the size %s as %s', (text, size) => {
  expect(ImageSizeSchema.parse(text)).toBe(size);
});

it.each(['1024', '1024X1024', '0x10', '10x10*10', 'Auto', '1024x', 'x1024'])('rejects the size %s', (text) => {
  expect(ImageSizeSchema.safeParse(text).success).toBe(false);
});
