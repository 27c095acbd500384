import { expect, it } from 'vitest';
import { unsupportedField } from './unsupported-field.ts';

it('names the field and has status 400', () => {
  expect(unsupportedField('n', 'One alone.')).toMatchObject({ code: 'unsupported_parameter', param: 'n', status: 400 });
});
