import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewaySecret } from './gateway-secret.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-secret-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('gatewaySecret', () => {
  it('is the configured one, without reading the disk', async () => {
    expect(await gatewaySecret({ configured: 'a configured secret', dataDir: dir })).toBe('a configured secret');
    expect(await readdir(dir)).toEqual([]);
  });

  it('is created once and stored, readable by its owner only', async () => {
    const dataDir = path.join(dir, 'not', 'there', 'yet');
    const first = await gatewaySecret({ configured: undefined, dataDir });
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(await gatewaySecret({ configured: undefined, dataDir })).toBe(first);
    expect((await stat(path.join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['secret']);
  });

  it('differs between data folders', async () => {
    const one = await gatewaySecret({ configured: undefined, dataDir: path.join(dir, 'one') });
    expect(await gatewaySecret({ configured: undefined, dataDir: path.join(dir, 'two') })).not.toBe(one);
  });

  it('is the same for processes that start at once', async () => {
    const starts = Array.from({ length: 20 }, () => gatewaySecret({ configured: undefined, dataDir: dir }));
    const secrets = new Set(await Promise.all(starts));
    expect(secrets.size).toBe(1);
    expect([`${[...secrets][0]}\n`]).toEqual([await readFile(path.join(dir, 'secret'), 'utf8')]);
    expect(await readdir(dir)).toEqual(['secret']);
  });

  it('names SLUICE_DATA_DIR if the folder cannot be written', async () => {
    await writeFile(path.join(dir, 'file'), '');
    const dataDir = path.join(dir, 'file', 'data');
    await expect(gatewaySecret({ configured: undefined, dataDir })).rejects.toThrow('Set `SLUICE_DATA_DIR`');
  });

  it('rejects a file without a secret', async () => {
    await writeFile(path.join(dir, 'secret'), '\n');
    await expect(gatewaySecret({ configured: undefined, dataDir: dir })).rejects.toThrow(/must contain a secret/);
  });
});
