import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Spool } from './spooled-file.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-spool-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* failing(error = new Error('why')): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a');
  throw error;
}

it('lets a file be read repeatedly, without a name on disk', async () => {
  async function* source() {
    yield Buffer.from('a'.repeat(100_000));
    expect(await readdir(dir)).toEqual([]);
    yield Buffer.from('b');
  }
  const file = await new Spool(dir, 1e6).write(source());
  expect(file.bytes).toBe(100_001);
  expect(await textOf(file.open())).toBe(`${'a'.repeat(100_000)}b`);
  expect(await textOf(file.open())).toHaveLength(100_001);
  await file.close();
  expect(await readdir(dir)).toEqual([]);
});

it('removes the file of a source that fails', async () => {
  await expect(new Spool(dir, 1e6).write(failing())).rejects.toThrow('why');
  expect(await readdir(dir)).toEqual([]);
});

async function* zeros(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield Buffer.alloc(size);
}
const full = expect.objectContaining({ code: 'store_unavailable', status: 503, retryable: true });

it('limits the total size of all files, and frees the size of closed ones', async () => {
  const spool = new Spool(dir, 100);
  const one = await spool.write(zeros(30, 30));
  await expect(spool.write(zeros(30, 30))).rejects.toEqual(full);
  const other = await spool.write(zeros(40));
  await expect(spool.write(zeros(1))).rejects.toEqual(full);
  await one.close();
  await expect(spool.write(failing())).rejects.toThrow('why');
  await (await spool.write(zeros(60))).close();
  await other.close();
  await (await spool.write(zeros(100))).close();
});

it('reports a full disk as `store_unavailable`', async () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  await expect(new Spool(dir, 100).write(failing(error))).rejects.toEqual(full);
});
