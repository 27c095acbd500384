import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accountCaps, loadConfig, modelCatalog, taskSettings } from '@sluice/config';
import { startSandbox } from '@sluice/sandbox';
import { createTaskEngine } from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import { testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildWorker } from './build-worker.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const SECRET = 'a secret of the test';
let dir: string;
let rig: Awaited<ReturnType<typeof startRig>>;

async function startRig() {
  const { redisUrl, prefix } = testRedis();
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, apiKey: 'sk-vendor-key', renderMs: 200 });
  const file = {
    redis: { prefix, url: redisUrl },
    keys: [{ name: 'client', key: 'sk-client-key' }],
    upstreams: { vendor: { kind: 'videos', base_url: `${sandbox.url}/v1`, api_key: 'sk-vendor-key' } },
    models: [{ id: 'my-video', routes: [{ upstream: 'vendor', model: 'sandbox-video' }] }],
    timeouts: { submit_ms: 500, poll_ms: 500, shutdown_ms: 1_000 },
    polling: { first_ms: 30, min_ms: 30, max_ms: 200 },
    tasks: { retry_min_ms: 50, retry_max_ms: 400, sweep_ms: 200, submit_unknown_ms: 5_000 },
  };
  await writeFile(path.join(dir, 'sluice.yaml'), JSON.stringify(file));
  const config = await loadConfig({ env: { SLUICE_DATA_DIR: path.join(dir, 'data') }, cwd: dir });
  const worker = await buildWorker(config, { url: redisUrl }, logger, SECRET);
  const engine = await createTaskEngine({
    redis: { url: redisUrl },
    prefix,
    accounts: accountCaps(config),
    settings: taskSettings(config),
    commandTimeoutMs: 2_000,
    logger,
  });
  const run = async (prompt: string) => {
    const targets = modelCatalog(config).find('my-video')?.targets ?? [];
    const { task } = await engine.submit({
      ownerId: 'client',
      model: 'my-video',
      targets,
      request: { kind: 'video', prompt, seconds: '1', images: [] },
      seconds: '1',
      operation: 'video.create',
      digest: prompt,
      retryCount: 0,
    });
    return engine.waitForEnd(task, 20_000, new AbortController().signal);
  };
  const close = async (): Promise<void> => {
    await worker.close();
    await engine.close();
    await sandbox.close();
  };
  return { run, close, sandboxUrl: sandbox.url };
}

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-worker-'));
  rig = await startRig();
});
afterEach(async () => {
  await rig.close();
  await rm(dir, { recursive: true, force: true });
});

/** Prompts that contain a sandbox directive, with the task's outcome (documented in `docs/extend/sandbox.md`). */
const ENDS: [word: string, status: string, code?: string][] = [
  ['', 'completed'],
  ['[fail]', 'failed', 'provider_error'],
  ['[moderation]', 'failed', 'content_policy'],
  ['[slow:1]', 'completed'],
  ['[429]', 'completed'],
  ['[500]', 'completed'],
  ['[garbage]', 'completed'],
  ['[cut]', 'completed'],
  ['[lost-reply]', 'completed'],
  ['[expire]', 'failed', 'content_expired'],
];

describe('a worker', () => {
  it('does not start with a misspelled folder', async () => {
    const { redisUrl } = testRedis();
    const config = await loadConfig({ env: { SLUICE_DATA_DIR: path.join(dir, 'data') }, cwd: dir });
    const content = { ...config.content, dir: 'misspelled' };
    const misspelled = { ...config, content, contentDir: path.join(dir, 'misspelled') };
    await expect(buildWorker(misspelled, { url: redisUrl }, logger, SECRET)).rejects.toThrow(
      'Check that `content.dir` names',
    );
  });
});

describe('a worker against the sandbox', () => {
  it.each(ENDS)('submits a task with %j once and ends it as %s', async (word, status, code) => {
    const prompt = `a paper boat ${word}`;
    const ended = await rig.run(prompt);
    expect(ended).toMatchObject(code ? { status, error: { code } } : { status });
    const response = await fetch(`${rig.sandboxUrl}/_sandbox/submissions`);
    // The cast is safe because the sandbox returns this format.
    const { submissions } = (await response.json()) as { submissions: { task: string; applied: number }[] };
    expect(submissions.filter(({ task }) => task === ended.id).map(({ applied }) => applied)).toEqual([
      word === '[moderation]' ? 0 : 1,
    ]);
  });
});
