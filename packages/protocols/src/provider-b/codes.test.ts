import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { codeTable } from '../../test/code-table.ts';
import { VOLCENGINE_CODES } from './codes.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/use/errors.md'), 'utf8');

it('has a unique positive integer for every code, and none that means success', () => {
  expect(Object.keys(VOLCENGINE_CODES).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  for (const number of Object.values(VOLCENGINE_CODES)) expect(Number.isInteger(number) && number > 10_000).toBe(true);
});

it('matches docs/use/errors.md number by number', () => {
  expect(codeTable(page, '## Codes of provider-b')).toEqual(VOLCENGINE_CODES);
});
