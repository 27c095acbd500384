import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { codeTable } from '../../test/code-table.ts';
import { KLING_CODES } from './kling-codes.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/use/errors.md'), 'utf8');

it('KLING_CODES has a positive integer for every code', () => {
  expect(Object.keys(KLING_CODES).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  for (const number of Object.values(KLING_CODES)) expect(Number.isInteger(number) && number > 0).toBe(true);
});

it('docs/use/errors.md lists every number', () => {
  expect(codeTable(page, '## Codes of provider-a')).toEqual(KLING_CODES);
});
