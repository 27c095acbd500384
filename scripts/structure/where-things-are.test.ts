import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/root.mjs';

const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const section = page.split(/^## /m).find((part) => part.startsWith('Where things are\n')) ?? '';
/** Paths of the second and later columns; the first one has the question. */
const cells = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((row) => row.split('|').slice(2));
const paths = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`\s]+)`/g), ([, path]) => path ?? ''));

describe('"Where things are" in CONTRIBUTING.md', () => {
  it('lists paths', () => {
    expect(paths.length).toBeGreaterThan(0);
  });

  it.each(paths)('%s exists', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });
});
