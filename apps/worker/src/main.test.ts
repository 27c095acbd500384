import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRedisProxy, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = path.join(import.meta.dirname, 'main.ts');
/** Starting a program is slow on a busy machine. */
const LONG = 60_000;

let folder = '';
let worker: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-worker-'));
});
afterEach(async () => {
  worker?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

describe('a worker whose launcher was killed', () => {
  it(
    'exits without its grace period if Redis has stopped too',
    async () => {
      const { redisUrl, prefix } = testRedis();
      const proxy = await startRedisProxy(redisUrl);
      const config = {
        redis: { url: proxy.url, prefix },
        keys: [{ name: 'local', key: 'sk-test-local' }],
        // Longer than the timeout of this test.
        timeouts: { shutdown_ms: 300_000 },
        upstreams: { acme: { kind: 'videos', base_url: 'http://127.0.0.1:1' } },
        models: [{ id: 'video', routes: [{ upstream: 'acme', model: 'video' }] }],
      };
      await writeFile(path.join(folder, 'sluice.yaml'), JSON.stringify(config));
      worker = spawn(process.execPath, ['--conditions=source', MAIN], {
        cwd: folder,
        env: { PATH: process.env.PATH },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await once(worker, 'message');
      const exited = once(worker, 'exit');
      await proxy.close();
      worker.disconnect();
      expect(await exited).toEqual([1, null]);
    },
    LONG,
  );
});
