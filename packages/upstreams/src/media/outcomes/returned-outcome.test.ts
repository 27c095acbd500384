import { expect, it } from 'vitest';
import { inlineResponseBytes, returnedFile, returnedOutcome } from './returned-outcome.ts';

const A = Buffer.from('a');

it.each([
  [{ base64: 'YQ==' }, { bytes: A }],
  [{ base64: 'data:image/png;base64,YQ==' }, { bytes: A }],
  [{ base64: 'YQ==', url: 'https://x.example/' }, { bytes: A }],
  [{ url: 'data:;base64,YQ==' }, { bytes: A }],
  [{ url: 'https://x.example/' }, { url: 'https://x.example/' }],
  [{ base64: '' }, undefined],
  [{ base64: 'data:image/png;base64,' }, undefined],
  [{}, undefined],
])('%o is %o', (output, file) => {
  expect(returnedFile(output)).toEqual(file);
});

it.each([
  [1, 64],
  [2, 96],
  [10, 480],
  [50, 480],
  [Number.NaN, 64],
])('a response with %d images may have %d MiB', (n, max) => {
  expect(inlineResponseBytes(n)).toBe(max * 1024 * 1024);
});

it('succeeds with one image; if all fail, returns the first reason', () => {
  const error = { code: 'content_policy', message: 'no' } as const;
  const other = { code: 'provider_error', message: 'lost' } as const;
  expect(returnedOutcome([{ error }, { bytes: A }])).toEqual({ kind: 'returned', outputs: [{ error }, { bytes: A }] });
  expect(returnedOutcome([{ error }, { error: other }])).toEqual({ kind: 'rejected', ...error });
  expect(returnedOutcome([])).toMatchObject({ kind: 'rejected', code: 'provider_error' });
});
