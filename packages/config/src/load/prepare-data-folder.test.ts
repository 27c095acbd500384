import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareDataFolder } from './prepare-data-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-data-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('prepareDataFolder', () => {
  it('creates the folder for its owner only, and leaves nothing in it', async () => {
    const dataDir = path.join(folder, 'a/b');
    await prepareDataFolder(dataDir);
    await prepareDataFolder(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('names SLUICE_DATA_DIR if the folder cannot be written', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const dataDir = path.join(folder, 'file/data');
    await expect(prepareDataFolder(dataDir)).rejects.toThrow(
      `Cannot write to the data folder ${dataDir} (ENOTDIR). Set \`SLUICE_DATA_DIR\` to a writable folder.`,
    );
  });
});
