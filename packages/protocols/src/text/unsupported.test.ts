import { expect, it } from 'vitest';
import { tooManyChoices, unsupportedTool } from './unsupported.ts';

it('names the field and has status 400', () => {
  const error = { code: 'unsupported_parameter', param: 'tools', status: 400 };
  expect(unsupportedTool('web_search', 'tools')).toMatchObject(error);
});

it('names the limit of choices', () => {
  expect(tooManyChoices(1).message).toBe('n must be 1 for this model.');
  expect(tooManyChoices(8).message).toBe('n must be at most 8 for this model.');
});
