import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RedisNotFoundError } from './redis-not-found-error.ts';
import { resolveRedisServer } from './resolve-redis-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-resolve-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates a program that prints a server's `--version` output. */
async function program(name: string, response: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho '${response}'\n`);
  await chmod(file, 0o755);
  return file;
}

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { HOME: join(folder, 'home'), PATH: join(folder, 'bin'), ...more };
}

describe('resolveRedisServer', () => {
  it('prefers the program in SLUICE_REDIS_SERVER to those on PATH', async () => {
    await program('bin/redis-server', 'Redis server v=7.2.4 sha=0');
    const configured = await program('configured', 'Valkey server v=8.1.1 sha=0');
    const server = await resolveRedisServer({ env: environment({ SLUICE_REDIS_SERVER: configured }) });
    expect(server).toMatchObject({ program: configured, version: '8.1.1', origin: 'setting' });
  });

  it('rejects a configured program that does not run instead of choosing another', async () => {
    await program('bin/redis-server', 'Redis server v=7.2.4 sha=0');
    const env = environment({ SLUICE_REDIS_SERVER: '/nowhere/redis-server' });
    await expect(resolveRedisServer({ env })).rejects.toThrow(
      'SLUICE_REDIS_SERVER (/nowhere/redis-server does not run)',
    );
  });

  it('skips a server that is too old, reports it, and tries the next', async () => {
    await program('bin/redis-server', 'Redis server v=6.0.16 sha=0');
    const next = await program('bin/valkey-server', 'Valkey server v=8.1.1 sha=0');
    const lines: string[] = [];
    const server = await resolveRedisServer({ env: environment(), onProgress: (line) => lines.push(line) });
    expect(server.program).toBe(next);
    expect(lines.join()).toContain('is version 6.0.16. Sluice needs 6.2 or newer.');
  });

  it('uses the private copy of an earlier run', async () => {
    const env = environment({ XDG_CACHE_HOME: folder });
    const missing = await resolveRedisServer({ env }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(RedisNotFoundError);
    const copy = await readFile('/etc/os-release', 'utf8');
    const field = (name: string) => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(copy)?.[1] ?? '';
    const at = `sluice/redis/${field('ID')}-${field('VERSION_ID')}-${process.arch}/usr/bin/redis-server`;
    const file = await program(at, 'Redis server v=7.0.15 sha=0');
    expect(await resolveRedisServer({ env })).toMatchObject({ program: file, origin: 'cache' });
  });

  it('lists what was tried and what to do if there is none', async () => {
    const error = await resolveRedisServer({ env: environment() }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RedisNotFoundError);
    const { message } = error instanceof Error ? error : new Error();
    for (const phrase of ['REDIS_URL (not set)', 'PATH (none)', '(empty)', 'apt (', 'docker (not installed)']) {
      expect(message).toContain(phrase);
    }
    expect(message).toContain('sudo apt-get install redis-server');
  });
});
