import { describe, expect, it } from 'vitest';
import { CreateVideoFormSchema, CreateVideoSchema } from './schema.ts';

describe('the schemas of the videos protocol', () => {
  it('document the form with the same fields as the JSON body', () => {
    expect(Object.keys(CreateVideoFormSchema.shape)).toEqual(Object.keys(CreateVideoSchema.shape));
  });

  it('hold every field of the interface', () => {
    expect(Object.keys(CreateVideoSchema.shape)).toEqual(
      expect.arrayContaining(['model', 'prompt', 'seconds', 'input_reference']),
    );
  });
});
