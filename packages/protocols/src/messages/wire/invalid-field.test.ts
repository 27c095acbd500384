import { expect, it } from 'vitest';
import { invalidField, unsupportedField } from './invalid-field.ts';

it('both kinds of refusal are 400 and name the field', () => {
  expect(invalidField('a[0]', 'must be b')).toMatchObject({
    code: 'invalid_request',
    message: 'a[0] must be b.',
    param: 'a[0]',
    status: 400,
  });
  expect(unsupportedField('n', 'One alone.')).toMatchObject({ code: 'unsupported_parameter', param: 'n', status: 400 });
});
