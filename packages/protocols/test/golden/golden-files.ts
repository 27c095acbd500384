import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';

/** The folder with the golden files. */
export const GOLDEN = join(import.meta.dirname, '../../golden');

/** With `SLUICE_GOLDEN=write`, files are written instead of compared. */
const isWriting = process.env['SLUICE_GOLDEN'] === 'write';

/** Compares a text with a file, or writes the file. @param path absolute path */
export function expectFile(path: string, text: string): void {
  if (isWriting) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const stored = existsSync(path)
    ? readFileSync(path, 'utf8')
    : 'missing: run again with SLUICE_GOLDEN=write and review it';
  expect(text, relative(GOLDEN, path)).toBe(stored);
}

/** Lists obsolete `*.to-*` files. Deletes them if files are written. */
export function obsoleteFiles(kind: string, currentFiles: readonly string[]): string[] {
  const expected = new Set(currentFiles);
  const files = readdirSync(join(GOLDEN, kind), { recursive: true, encoding: 'utf8' });
  const obsolete = files.filter((file) => file.includes('.to-') && !expected.has(file));
  if (!isWriting) return obsolete;
  for (const file of obsolete) rmSync(join(GOLDEN, kind, file));
  return [];
}

/** Lists the case folders of a kind. */
export function goldenCases(kind: string): string[] {
  return readdirSync(join(GOLDEN, kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Reads a file of a case. Returns undefined if it does not exist. */
export function readGolden(...path: string[]): string | undefined {
  const file = join(GOLDEN, ...path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
