import { expect, it } from 'vitest';
import { z } from 'zod';
import { WireError } from '../../http/wire-error.ts';
import { readKlingBody } from './kling-request.ts';

const Schema = z.object({ a: z.object({ b: z.string() }).optional() });

function refusal(body: unknown): unknown {
  try {
    return readKlingBody(Schema, body);
  } catch (error) {
    return error instanceof WireError ? error.body('req-1') : error;
  }
}

it('readKlingBody treats null and empty text as absent, and ignores unknown fields', () => {
  expect(readKlingBody(Schema, { a: null, c: 1 })).toEqual({});
  expect(readKlingBody(Schema, { a: '' })).toEqual({});
});

it('readKlingBody names the invalid field', () => {
  expect(refusal({ a: { b: 5 } })).toMatchObject({
    code: 1201,
    message: expect.stringMatching(/^a\.b value is invalid/),
  });
  expect(refusal([])).toMatchObject({ code: 1200, request_id: 'req-1' });
});
