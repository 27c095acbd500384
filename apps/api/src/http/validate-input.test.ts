import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validateInput } from './validate-input.ts';

const Schema = z.strictObject({
  name: z.string().regex(/^[a-z]+$/, 'may hold only letters'),
  limits: z.strictObject({ rpm: z.int().min(1).optional() }).optional(),
  models: z.array(z.string()).optional(),
});

describe('validateInput', () => {
  it('returns valid input', () => {
    expect(validateInput(Schema, { name: 'a' }, 'body')).toEqual({ name: 'a' });
  });

  it.each([
    [{}, 'name', 'name is required.'],
    [{ name: 'A' }, 'name', 'name may hold only letters.'],
    [{ name: 3 }, 'name', 'name must be a string.'],
    [{ name: 'a', limits: { rpm: 0 } }, 'limits[rpm]', 'limits[rpm] must be at least 1.'],
    [{ name: 'a', limits: { rpm: 1.5 } }, 'limits[rpm]', 'limits[rpm] must be an integer.'],
    [{ name: 'a', models: ['x', 1] }, 'models[1]', 'models[1] must be a string.'],
    [{ name: 'a', limits: { rpn: 1 } }, 'limits[rpn]', 'limits[rpn] is not a known field.'],
    [{ name: 'a', 'x\ny': 1 }, 'x\ny', '`x\\ny` is not a known field.'],
    [[], undefined, 'The body must be an object.'],
    [null, undefined, 'The body must be an object.'],
  ])('names the field of %j', (input, param, message) => {
    expect(() => validateInput(Schema, input, 'body')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(message) as string }),
    );
  });

  it('never repeats a value', () => {
    for (const input of [{ name: 'Hunter2' }, { name: 'a', limits: 'Hunter2' }, 'Hunter2', ['Hunter2']]) {
      try {
        validateInput(Schema, input, 'body');
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain('Hunter2');
      }
    }
  });
});
