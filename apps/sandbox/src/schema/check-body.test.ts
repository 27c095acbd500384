import { expect, it } from 'vitest';
import { z } from 'zod';
import { WireError } from '../http/wire-error.ts';
import { type BodyError, checkBody } from './check-body.ts';

const Schema = z.strictObject({
  model: z.string(),
  input: z.strictObject({ media: z.array(z.strictObject({ url: z.string() })).optional() }).optional(),
  size: z.enum(['1', '2']).optional(),
});

function faultOf(body: unknown): BodyError | undefined {
  let bodyError: BodyError | undefined;
  const refuse = (fault: BodyError): WireError => {
    bodyError = fault;
    return new WireError(400, 'refused', () => ({}));
  };
  expect(() => checkBody(Schema, body, refuse)).toThrow('refused');
  return bodyError;
}

function never(): WireError {
  return new WireError(500, 'never', () => ({}));
}

it('returns the parsed body', () => {
  expect(checkBody(Schema, { model: 'm', size: '1' }, never)).toEqual({ model: 'm', size: '1' });
});

it.each([
  [undefined, 'missing', ''],
  [[], 'invalid', ''],
  [{}, 'missing', 'model'],
  [{ model: 7 }, 'invalid', 'model'],
  [{ model: null }, 'invalid', 'model'],
  [{ model: 'm', size: '3' }, 'invalid', 'size'],
  [{ model: 'm', n: 1 }, 'unknown', 'n'],
  [{ model: 'm', input: { media: [{}] } }, 'missing', 'input.media[0].url'],
  [{ model: 'm', input: { media: [{ url: 'a', role: 'b' }] } }, 'unknown', 'input.media[0].role'],
])('reports the error of %j: %s %s', (body, kind, field) => {
  expect(faultOf(body)).toMatchObject({ kind, field });
});

it('keeps the message of a rule over several fields, even if its field is absent', () => {
  const Pair = z.strictObject({ a: z.string().optional(), b: z.string().optional() });
  const schema = Pair.refine(({ a, b }) => (a === undefined) !== (b === undefined), {
    path: ['a'],
    error: 'or b, not both',
  });
  let bodyError: BodyError | undefined;
  const refuse = (fault: BodyError): WireError => {
    bodyError = fault;
    return never();
  };
  expect(() => checkBody(schema, {}, refuse)).toThrow('never');
  expect(bodyError).toEqual({ kind: 'invalid', field: 'a', message: 'or b, not both' });
});
