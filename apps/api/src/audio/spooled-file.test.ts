import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spoolFile } from './spooled-file.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-spool-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  throw new Error('why');
}

it('bytes are read as often as is wanted, and have no name on disk', async () => {
  async function* source() {
    yield Buffer.from('a'.repeat(100_000));
    expect(await readdir(dir)).toEqual([]);
    yield Buffer.from('b');
  }
  const file = await spoolFile(dir, source());
  expect(file.bytes).toBe(100_001);
  expect(await textOf(file.open())).toBe(`${'a'.repeat(100_000)}b`);
  expect(await textOf(file.open())).toHaveLength(100_001);
  await file.close();
  expect(await readdir(dir)).toEqual([]);
});

it('nothing is left of a source that fails', async () => {
  await expect(spoolFile(dir, failing())).rejects.toThrow('why');
  expect(await readdir(dir)).toEqual([]);
});
