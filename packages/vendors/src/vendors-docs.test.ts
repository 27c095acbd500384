import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vendorsPage } from '../test/vendors-page.ts';

describe('docs/extend/sandbox-vendors.md', () => {
  it('lists the catalogs of the vendors', () => {
    const file = join(import.meta.dirname, '../../../docs/extend/sandbox-vendors.md');
    if (process.env['SLUICE_GOLDEN'] === 'write') writeFileSync(file, vendorsPage());
    expect(vendorsPage()).toBe(readFileSync(file, 'utf8'));
  });
});
