import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/root.mjs';

const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const section = page.split(/^## /m).find((part) => part.startsWith('Where things are\n')) ?? '';
/** The cells of each table row: question, first hop, second hop. */
const rows = section
  .split('\n')
  .filter((line) => /^\| (?:Where|How|What)/.test(line))
  .map((row) => row.split('|').slice(1, -1));
const pathsIn = (cell = '') => Array.from(cell.matchAll(/`([^`\s]+)`/g), ([, path]) => path ?? '');

describe('"Where things are" in CONTRIBUTING.md', () => {
  it.each([
    'POST /v1/messages',
    'tool call translated',
    'poll scheduled',
    'upstream added',
    'key checked',
    'budget charged',
    '`Range` handled',
    'worker dies between submit and record',
  ])('answers in two hops: %s', (topic) => {
    const [, first, second, ...others] = rows.find(([question]) => question?.includes(topic)) ?? [];
    expect(pathsIn(first)).not.toEqual([]);
    expect(pathsIn(second)).not.toEqual([]);
    expect(others).toEqual([]);
  });

  it.each(rows.flatMap(([, ...cells]) => cells.flatMap((cell) => pathsIn(cell))))('%s exists', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });
});
