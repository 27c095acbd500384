import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRedis, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadAtStart } from './load-shared.ts';
import { Reloader } from './reloader.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

let cwd: string;
let redis: ReturnType<typeof openRedis>;
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'sluice-reload-'));
  redis = openRedis(testRedis().redisUrl);
});
afterEach(async () => {
  redis.disconnect();
  await rm(cwd, { recursive: true });
});

const write = (level: string) => writeFile(path.join(cwd, 'sluice.yaml'), `log: { level: ${level} }\n`);

async function load(): Promise<Reloader> {
  await write('info');
  const env = { SLUICE_KEY: 'sk-a-key-of-the-test' };
  const loaded = await loadAtStart({ env, cwd }, () => undefined);
  return new Reloader({ kind: 'worker', loaded, env, cwd, secret: 'a secret', redis, logger });
}

it('applies a change that was made while the process started', async () => {
  const reloader = await load();
  await write('debug');
  const applied: string[] = [];
  reloader.start(({ applicable }) => void applied.push(applicable.log.level));
  await expect.poll(() => applied).toEqual(['debug']);
  expect(reloader.state).toMatchObject({ result: 'applied', source: 'file' });
  await reloader.close();
});

it('applies a change that was made right after the start', async () => {
  const reloader = await load();
  const applied: string[] = [];
  reloader.start(({ applicable }) => void applied.push(applicable.log.level));
  expect(reloader.state.result).toBe('start');
  await write('warn');
  await expect.poll(() => applied).toEqual(['warn']);
  await reloader.close();
});
