import fs from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalContentStore } from './local-content-store.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-store-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dir, { recursive: true, force: true });
});

async function* failingSource(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
  throw new Error('The client disconnected.');
}

/** Delays the creation of files, as happens on a busy disk. */
function delayOpen() {
  const { open } = fs;
  return vi.spyOn(fs, 'open').mockImplementation((...args: Parameters<typeof open>) => {
    setTimeout(() => open(...args), 100);
  });
}

describe('a written blob', () => {
  it('is accessible to its owner only, and so are its folders', async () => {
    const source = [Buffer.from('x')];
    await createLocalContentStore(path.join(dir, 'content')).write('videos/a', Readable.from(source), 100);
    const modeOf = async (name: string) => (await stat(path.join(dir, 'content', name))).mode & 0o777;
    expect(await Promise.all(['.', 'tmp', 'videos', 'videos/a'].map(modeOf))).toEqual([0o700, 0o700, 0o700, 0o600]);
  });
});

describe('a write that fails before its temporary file is open', () => {
  it('leaves no file', async () => {
    const delayed = delayOpen();
    await expect(createLocalContentStore(dir).write('inputs/a', failingSource(), 100)).rejects.toThrow('disconnected');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(delayed).toHaveBeenCalledTimes(1);
    expect(await readdir(path.join(dir, 'tmp'))).toEqual([]);
  });
});
