import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from './is-installed.mjs';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-installed-'));
  await mkdir(join(root, 'node_modules'));
  await writeLock('package-lock.json', {
    '': {},
    'apps/api': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/for-another-system': { version: '1.0.0', optional: true },
  });
});
afterEach(() => rm(root, { recursive: true, force: true }));

function writeLock(name: string, packages: object): Promise<void> {
  return writeFile(join(root, name), JSON.stringify({ packages }));
}

describe('isInstalled', () => {
  it('is false on a fresh checkout', () => {
    expect(isInstalled(root, false)).toBe(false);
  });

  it('accepts an install without development dependencies, but not for tests', async () => {
    await writeLock('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
    expect(isInstalled(root, false)).toBe(true);
    expect(isInstalled(root, true)).toBe(false);
  });

  it('is false after the lock file has changed', async () => {
    await writeLock('node_modules/.package-lock.json', { 'node_modules/a': { version: '0.9.0' } });
    expect(isInstalled(root, false)).toBe(false);
  });
});
