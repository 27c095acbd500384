import { expect, it } from 'vitest';
import { invalidField, unsupportedField } from './invalid-field.ts';

it('names the field and has status 400', () => {
  expect(invalidField('a[0]', 'must be b')).toMatchObject({
    code: 'invalid_request',
    message: 'a[0] must be b.',
    param: 'a[0]',
    status: 400,
  });
  expect(unsupportedField('n', 'One alone.')).toMatchObject({ code: 'unsupported_parameter', param: 'n', status: 400 });
});
