import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigSchema, type Config, upstreamSettings } from '@sluice/config';
import { type ContentStore, createLocalContentStore } from '@sluice/content';
import type { TaskEngine } from '@sluice/tasks';
import { Reloader } from '@sluice/reload';
import { createLogger, createMetrics, type Metrics, type Tracing } from '@sluice/telemetry';
import { type TaskRig, taskRig } from '@sluice/testkit';
import { buildUpstreams } from '@sluice/upstreams';
import type { FastifyInstance } from 'fastify';
import { type Api, buildApi } from '../src/build-api.ts';
import { firstConnection, openTextRedis } from '../src/server/open-redis.ts';
import { RIG_SECRET } from './workers/rig-secret.ts';

/** `carol` can only use the model `video`. */
export const KEYS = { alice: 'sk-alice-key', bob: 'sk-bob-key', carol: 'sk-carol-key' };

/** Limits small enough for a test to exceed. */
export const SMALL_LIMITS = { json_bytes: 4_096, upload_bytes: 20_000, header_bytes: 8_192 };

/** An API over real HTTP and Redis, with a scripted vendor. */
export interface ApiRig {
  origin: string;
  port: number;
  app: FastifyInstance;
  apply: Api['apply'];
  recordReload: Api['recordReload'];
  config: Config;
  tasks: TaskRig;
  metrics: Metrics;
  /** Files and streams opened in the content store. */
  opened: { readonly closed: boolean }[];
  /** Keys removed from the content store. */
  removed: string[];
  /** All log lines written since the start. */
  logs(): string;
  /** Fetches a path with Alice's key, unless `init` has headers. */
  call(at: string, init?: RequestInit): Promise<Response>;
  /** Creates a video from a JSON body. */
  create(fields?: Record<string, unknown>, headers?: Record<string, string>, key?: string): Promise<Response>;
  /** Creates a video and returns its id. */
  createdId(fields?: Record<string, unknown>): Promise<string>;
  /** Names of the files in the content store, including incomplete ones. */
  storedFiles(): Promise<string[]>;
  /** Ids of all tasks of all keys. */
  taskIds(): Promise<string[]>;
  close(): Promise<void>;
}

export interface ApiRigOptions {
  script?: NonNullable<Parameters<typeof taskRig>[0]>['script'];
  settings?: NonNullable<Parameters<typeof taskRig>[0]>['settings'];
  limits?: Partial<Config['limits']>;
  publicUrl?: string;
  /** A content store to use instead of the one in a folder. */
  store?: ContentStore;
  /** Whether the content store works; default: always. */
  storage?: Parameters<typeof buildApi>[0]['storage'];
  /** Awaited before every write to the content store. */
  beforeWrite?: () => Promise<unknown>;
  stopping?: AbortSignal;
  /** Unix milliseconds. */
  now?: () => number;
  /** Upstreams, models, and other settings to add to the rig's own, as in `sluice.yaml`. */
  config?: Record<string, unknown> & { upstreams?: Record<string, unknown>; models?: unknown[] };
  /** Reads the configuration again. By default, it does not change. */
  readConfig?: (running: Config) => Promise<Config>;
  /** Adds the models `image`, `image-edit`, `image-only`, and `clip-only`. */
  images?: boolean;
  /** The Redis prefix, for tests in which several processes share one Redis. */
  prefix?: string;
  /** The Redis for text state. By default, the test run's Redis. */
  redisUrl?: string;
  /** Command timeout. Short by default, for tests of Redis outages. */
  redisTimeoutMs?: number;
  /** The store of the usage ledger. By default, the ledger is disabled. */
  ledgerStore?: Parameters<typeof buildApi>[0]['ledgerStore'];
  /** An engine to use instead of the rig's (e.g. one whose Redis is unreachable). */
  engine?: TaskEngine;
  /** Spans of requests and attempts. The rig closes it. */
  tracing?: Tracing | undefined;
}

/** Starts an API on a free port. Tests start workers themselves. */
export async function apiRig(options: ApiRigOptions = {}): Promise<ApiRig> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-api-'));
  const { script, settings, prefix, readConfig } = options;
  const tasks = await taskRig({ script, settings, ...(prefix !== undefined && { prefix }) });
  const store = options.store ?? createLocalContentStore(dir);
  const opened: ApiRig['opened'] = [];
  const openFile = store.openFile?.bind(store);
  const removed: string[] = [];
  const content: ContentStore = {
    ...store,
    async write(key, source, maxBytes) {
      await options.beforeWrite?.();
      return store.write(key, source, maxBytes);
    },
    async remove(key) {
      await store.remove(key);
      removed.push(key);
    },
    async open(key, range) {
      const stream = await store.open(key, range);
      opened.push(stream);
      return stream;
    },
    ...(openFile && {
      openFile: async (key) => {
        const file = await openFile(key);
        // A closed file has no descriptor.
        opened.push({
          get closed() {
            return file.fd < 0;
          },
        });
        return file;
      },
    }),
  };
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    name: 'api',
    pretty: false,
    destination: { write: (line) => void lines.push(line) },
  });
  const metrics = createMetrics();
  const config = configOf(dir, tasks.prefix, options);
  const upstreams = buildUpstreams({ ...upstreamSettings(config), logger });
  const redis = openTextRedis({
    settings: { url: options.redisUrl ?? tasks.redisUrl },
    commandTimeoutMs: options.redisTimeoutMs ?? 300,
    logger,
  });
  await firstConnection(redis, 1_000);
  const secret = RIG_SECRET;
  const loaded = { config, locate: () => 'sluice.yaml', files: [], source: 'file' as const, stamp: undefined };
  const readLocal = async () => ({ ...loaded, config: (await readConfig?.(config)) ?? config });
  const parts = { env: {}, cwd: dir, secret, redis, metrics, logger, readLocal };
  const reloader = new Reloader({ kind: 'api', loaded, ...parts });
  const { app, apply, recordReload } = await buildApi({
    config,
    reloader,
    engine: options.engine ?? tasks.engine,
    content,
    storage: options.storage ?? { isAvailable: () => true },
    upstreams,
    redis,
    secret,
    logger,
    metrics,
    version: '1.2.3',
    tracing: options.tracing,
    ledgerStore: options.ledgerStore,
    ...(options.stopping && { stopping: options.stopping }),
    ...(options.now && { now: options.now }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const origin = `http://127.0.0.1:${port}`;
  const startWorker = tasks.startWorker.bind(tasks);
  tasks.startWorker = (overrides) => startWorker({ content, ...overrides });

  const call: ApiRig['call'] = (at, init = {}) =>
    fetch(origin + at, { headers: { authorization: `Bearer ${KEYS.alice}` }, ...init });
  const create: ApiRig['create'] = (fields = { prompt: 'a kite' }, headers = {}, key = KEYS.alice) =>
    call('/v1/videos', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fields),
    });
  return {
    origin,
    port,
    app,
    apply,
    recordReload,
    config,
    tasks,
    metrics,
    opened,
    removed,
    logs: () => lines.join(''),
    call,
    create,
    async createdId(fields) {
      // The cast is safe because every created video has an id.
      const { id } = (await (await create(fields)).json()) as { id: string };
      return id;
    },
    async storedFiles() {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    },
    async taskIds() {
      const pages = await Promise.all(
        Object.keys(KEYS).map((owner) => tasks.engine.list(owner, { kind: 'video', limit: 100, order: 'asc' })),
      );
      return pages.flatMap((page) => page.tasks.map(({ id }) => id));
    },
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await options.tracing?.close();
      await upstreams.close();
      redis.disconnect();
      await tasks.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The account `vendor` generates videos and images with the scripted vendor. */
const IMAGE_UPSTREAMS = {
  vendor: { kind: 'dashscope', base_url: 'http://vendor.test/v1', api_key: 'sk-vendor' },
  'image-vendor': { kind: 'chat-completions', base_url: 'http://image-vendor.test/v1' },
  'video-vendor': { kind: 'videos', base_url: 'http://video-vendor.test/v1' },
};
const IMAGE_MODELS = [
  { id: 'image', routes: [{ upstream: 'vendor', model: 'qwen-image-plus' }] },
  { id: 'image-edit', routes: [{ upstream: 'vendor', model: 'qwen-image-edit-plus' }] },
  { id: 'image-only', routes: [{ upstream: 'image-vendor', model: 'p' }] },
  { id: 'clip-only', routes: [{ upstream: 'video-vendor', model: 'f' }] },
];

function configOf(
  dir: string,
  prefix: string,
  { limits = {}, publicUrl, config = {}, images = false }: ApiRigOptions,
): Config {
  const route = { upstream: 'vendor', model: 'model-1' };
  const { upstreams = {}, models = [], ...more } = config;
  const file = ConfigSchema.parse({
    server: { public_url: publicUrl },
    redis: { prefix },
    keys: [
      { name: 'alice', key: KEYS.alice },
      { name: 'bob', key: KEYS.bob },
      { name: 'carol', key: KEYS.carol, models: ['video'] },
    ],
    upstreams: {
      vendor: { kind: 'videos', base_url: 'http://vendor.test/v1', api_key: 'sk-vendor' },
      ...(images && IMAGE_UPSTREAMS),
      ...upstreams,
    },
    models: [
      { id: 'video', routes: [route], default_seconds: '6' },
      { id: 'clip', routes: [route] },
      ...(images ? IMAGE_MODELS : []),
      ...models,
    ],
    defaults: { video_model: 'video' },
    limits,
    ...more,
  });
  return { ...file, dataDir: dir, contentDir: dir, disabledUpstreams: [], disabledModels: [] };
}
