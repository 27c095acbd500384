import { expect, it } from 'vitest';
import { z } from 'zod';
import { explainIssue } from './explain-issue.ts';

const Schema = z.strictObject({
  name: z.string().min(1).max(3).optional(),
  count: z.int().min(2).optional(),
  share: z.number().max(0.5).optional(),
  kind: z.enum(['a', 'b']).optional(),
  list: z
    .array(z.strictObject({ on: z.boolean() }))
    .max(1)
    .optional(),
  image: z
    .string()
    .refine(() => false, { message: 'Expected an image.' })
    .optional(),
});

it.each([
  [{ other: 1 }, 'unknown_parameter', "Unknown parameter: 'other'."],
  [{ name: '' }, 'empty_string', "Invalid 'name': empty string."],
  [{ name: 'long' }, 'string_above_max_length', 'maximum length 3, but got a string with length 4 instead.'],
  [{ count: 1 }, 'integer_below_min_value', "Invalid 'count': integer below minimum value. Expected a value >= 2"],
  [{ count: 2.5 }, 'invalid_type', "Invalid type for 'count': expected an integer, but got a decimal instead."],
  [{ share: 0.75 }, 'decimal_above_max_value', 'Expected a value <= 0.5, but got 0.75 instead.'],
  [{ kind: 'c' }, 'invalid_value', "Invalid value: 'c'. Supported values are: 'a' and 'b'."],
  [
    { list: [{ on: null }] },
    'invalid_type',
    "Invalid type for 'list[0].on': expected a boolean, but got null instead.",
  ],
  [{ list: [{}] }, 'missing_required_parameter', "Missing required parameter: 'list[0].on'."],
  [
    { list: [{ on: true }, { on: true }] },
    'array_above_max_length',
    'maximum length 1, but got an array with length 2',
  ],
  [{ image: 'x' }, 'invalid_value', "Invalid 'image': 'x'. Expected an image."],
])('explains %j with OpenAI’s messages', (body, code, message) => {
  const { error } = Schema.safeParse(body);
  expect(error && explainIssue(error, body).body('')).toMatchObject({
    error: { type: 'invalid_request_error', code, message: expect.stringContaining(message) },
  });
});
