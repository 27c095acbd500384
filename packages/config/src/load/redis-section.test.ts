import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../issues/config-error.ts';
import { loadConfig, readConfig } from './load-config.ts';

const KEYS = 'keys: [{ name: a, key: aaaaaaaa }]';
let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'sluice-redis-section-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

async function write(...redis: string[]): Promise<void> {
  await writeFile(path.join(cwd, 'sluice.yaml'), ['redis:', ...redis.map((line) => `  ${line}`), KEYS].join('\n'));
}

async function issues(env: Record<string, string> = {}): Promise<string[]> {
  const error = await loadConfig({ env, cwd }).catch((reason: unknown) => reason);
  return error instanceof ConfigError ? error.message.split('\n') : [];
}

describe('the section `redis`', () => {
  it('reports a bad value with its position and a remedy', async () => {
    await write('sentinels: [sentinel-1]', 'replicas: many', 'username: u');
    const found = (await issues()).join('\n');
    expect(found).toContain('sluice.yaml:2:15');
    expect(found).toContain('must be an address such as `sentinel-1.example:26379`');
    expect(found).toContain('sluice.yaml:3:13');
    expect(found).toContain('redis.replicas');
  });

  it('reports a bad cluster or identity with its position and a remedy', async () => {
    await write('cluster: [redis-1]', 'identity: { type: aws-elasticache, region: Frankfurt }');
    const found = (await issues()).join('\n');
    expect(found).toMatch(/sluice\.yaml:2:13.*must be an address such as `redis-1\.example:6379`/);
    expect(found).toMatch(/sluice\.yaml:3:46.*redis\.identity\.region.*must be a region such as `us-east-1`/);
    expect(found).toMatch(/sluice\.yaml:3:13.*redis\.identity\.cache.*is required/);
    await write('url: rediss://redis.example', 'identity: { type: azure }');
    expect((await issues()).join('\n')).toMatch(
      /sluice\.yaml:3:21.*redis\.identity\.type: `azure` is not a known value; write one of: aws-elasticache/,
    );
    await write('cluster: [redis-1:6379]', 'identity: { type: google-memorystore }');
    expect((await issues()).join('\n')).toMatch(/sluice\.yaml:3:13.*redis\.identity.*needs TLS.*add the section/);
  });

  it('reports contradictions with their position', async () => {
    await write('url: redis://redis.example', 'username: u');
    expect((await issues()).join('\n')).toMatch(/sluice\.yaml:3:13.*redis\.username.*needs `redis\.password`.*add/);
  });

  it('reads certificates from the files that it names', async () => {
    await write('url: rediss://redis.example', 'tls: { ca: ca.pem, server_name: redis }');
    expect((await issues()).join('\n')).toMatch(/sluice\.yaml:3:14.*redis\.tls\.ca.*ca\.pem does not exist/);
    await writeFile(path.join(cwd, 'ca.pem'), 'no certificate');
    expect((await issues()).join('\n')).toMatch(/redis\.tls\.ca.*must be a certificate in PEM format/);
  });

  it('reads passwords from files, and watches the files', async () => {
    await writeFile(path.join(cwd, 'password'), 'opensesame\n');
    await write('url: redis://redis.example', "password: '${file:password}'");
    const { config, files } = await readConfig({ env: {}, cwd });
    expect(config.redis.password).toBe('opensesame');
    expect(files).toEqual([path.join(cwd, 'password')]);
  });

  it.each([
    ['Sentinels', ['sentinels: [s1:26379]', 'sentinel_name: main']],
    ['a cluster', ['cluster: [c1:6379]']],
  ])('ignores REDIS_URL if the file names %s', async (_, lines) => {
    await write(...lines);
    const { redis } = await loadConfig({ env: { REDIS_URL: 'redis://elsewhere' }, cwd });
    expect(redis.url).toBe('embedded');
  });
});
