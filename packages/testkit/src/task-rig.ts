import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isFinal, type MediaTask } from '@sluice/canonical';
import { type ContentStore, createLocalContentStore } from '@sluice/content';
import {
  type AccountCaps,
  createTaskEngine,
  createTaskWorker,
  type NewTask,
  type TaskEngine,
  type TaskSettings,
  type TaskWorker,
  type TaskWorkerOptions,
} from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import { type ScriptedVendor, scriptedVendor } from './scripted-vendor.ts';
import { testRedis } from './redis/redis-test.ts';

/** Task settings with timers in the range of milliseconds. */
export function fastTaskSettings(overrides: Partial<TaskSettings> = {}): TaskSettings {
  return {
    polling: { firstMs: 10, minMs: 10, maxMs: 50, onReadMs: 5 },
    lockMs: 1_000,
    stallCheckMs: 200,
    sweepMs: 100,
    overdueMs: 300,
    queueDeadlineMs: 60_000,
    runDeadlineMs: () => 60_000,
    submitUnknownMs: 1_000,
    retryMinMs: 20,
    retryMaxMs: 100,
    retentionMs: 600_000,
    concurrency: 20,
    downloadBytes: 10_000_000,
    uploadBytes: 1_000_000,
    maxLedgerEntries: 1_000_000,
    ...overrides,
  };
}

/** An engine, workers, and a scripted vendor. They use the test run's Redis with a separate prefix. */
export interface TaskRig {
  redisUrl: string;
  prefix: string;
  engine: TaskEngine;
  content: ContentStore;
  vendor: ScriptedVendor;
  settings: TaskSettings;
  startWorker(options?: Partial<TaskWorkerOptions>): Promise<TaskWorker>;
  /** Parameters of a new task. Each call returns a different request. */
  params(overrides?: Partial<NewTask>): NewTask;
  end(task: MediaTask): Promise<MediaTask>;
  close(): Promise<void>;
}

export async function taskRig(
  options: {
    script?: ScriptedVendor['script'];
    settings?: Partial<TaskSettings>;
    caps?: AccountCaps;
    /** URL of a proxy in front of the test run's Redis. */
    redisUrl?: string;
    /** Another server than the one of `redisUrl`, e.g. with Sentinel. */
    redis?: TaskWorkerOptions['redis'];
    /** The prefix of another rig, to share its keys. Default: a unique prefix. */
    prefix?: string;
  } = {},
): Promise<TaskRig> {
  const { redisUrl, prefix } = {
    ...testRedis(),
    ...(options.redisUrl !== undefined && { redisUrl: options.redisUrl }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
  };
  const settings = fastTaskSettings(options.settings);
  const vendor = scriptedVendor(options.script);
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-content-'));
  const content = createLocalContentStore(dir);
  const logger = createLogger({ level: 'silent', name: 'test' });
  const caps = options.caps ?? { maxSubmitting: 16 };
  const shared = { redis: options.redis ?? { url: redisUrl }, prefix, settings, logger };
  const engine = await createTaskEngine({ ...shared, accounts: { vendor: caps }, commandTimeoutMs: 2_000 });
  const workers: TaskWorker[] = [];
  let requests = 0;
  return {
    redisUrl,
    prefix,
    engine,
    content,
    vendor,
    settings,
    async startWorker(overrides = {}) {
      const worker = await createTaskWorker({
        ...shared,
        accounts: { vendor: { ...caps, video: vendor, image: vendor } },
        content,
        fetchInput: () => Promise.reject(new Error('this rig fetches no input images')),
        ...overrides,
      });
      workers.push(worker);
      return worker;
    },
    params(overrides = {}) {
      requests += 1;
      return {
        ownerId: 'owner',
        model: 'video-model',
        targets: [{ upstream: 'vendor', model: 'model-1' }],
        request: { kind: 'video', prompt: `prompt ${requests}`, images: [] },
        seconds: '4',
        operation: 'video.create',
        digest: `digest-${requests}`,
        retryCount: 0,
        ...overrides,
      };
    },
    async end(task) {
      const ended = await engine.waitForEnd(task, 20_000, new AbortController().signal);
      if (!isFinal(ended.status)) throw new Error(`task is still ${ended.status}`);
      return ended;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close(1_000)));
      await engine.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
