import { expect, it } from 'vitest';
import { bodyTooLarge, formError } from './form-limits.ts';

const LIMITS = { upload_bytes: 20_000 };

it('names the limit of a body that is too large', () => {
  expect(bodyTooLarge(10_485_760)).toMatchObject({
    code: 'payload_too_large',
    message: 'The body must be at most 10,485,760 bytes.',
  });
});

it('converts the error of a file that is larger than an upload may be', () => {
  const error = Object.assign(new Error('request file too large'), { code: 'FST_REQ_FILE_TOO_LARGE' });
  expect(formError(error, LIMITS)).toMatchObject({ message: 'The body must be at most 20,000 bytes.' });
});

it('converts the errors of a malformed form, which have no code', () => {
  expect(formError(new Error('Unexpected end of form'), LIMITS)).toMatchObject({ code: 'invalid_request' });
});

it('leaves other errors unchanged', () => {
  const error = new Error('reset');
  expect(formError(error, LIMITS)).toBe(error);
});
