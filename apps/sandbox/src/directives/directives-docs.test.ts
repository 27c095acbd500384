import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { directivesPage } from '../../test/directives-page.ts';

describe('docs/extend/sandbox-directives.md', () => {
  it('lists all directives and moderation keywords', () => {
    const file = join(import.meta.dirname, '../../../../docs/extend/sandbox-directives.md');
    if (process.env['SLUICE_GOLDEN'] === 'write') writeFileSync(file, directivesPage());
    expect(directivesPage()).toBe(readFileSync(file, 'utf8'));
  });
});
