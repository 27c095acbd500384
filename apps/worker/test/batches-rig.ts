import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openInternalApi, type OpenedInternalApi } from '@sluice/api';
import { type BatchStore, createBatchStore } from '@sluice/batches';
import { type Batch, type BatchLineResult, type BatchParams, isFinalBatch } from '@sluice/canonical';
import { batchSettings, type Config, ConfigSchema, fileSettings, upstreamSettings } from '@sluice/config';
import { createLocalContentStore } from '@sluice/content';
import { createFileStore, type FileStore } from '@sluice/files';
import { type LedgerEntry, ledgerKeys } from '@sluice/ledger';
import { createLogger, createMetrics, createWorkerMetrics, type Metrics, type WorkerMetrics } from '@sluice/telemetry';
import { openRedis, testRedis } from '@sluice/testkit';
import { buildUpstreams, openUpstreamConnections } from '@sluice/upstreams';
import { expect } from 'vitest';
import { startBatches } from '../src/batches/start-batches.ts';

export const LONG = { timeout: 60_000 };
const logger = createLogger({ level: 'silent', name: 'test' });
const connections = openUpstreamConnections();

/** A worker that runs batches, with its API, real Redis, and files. */
export interface BatchesRig {
  config: Config;
  prefix: string;
  redis: ReturnType<typeof openRedis>;
  files: FileStore;
  store: BatchStore;
  api: OpenedInternalApi;
  /** Serves the requests of the worker. */
  serve: OpenedInternalApi['serve'];
  metrics: { api: Metrics; worker: WorkerMetrics };
  /** Creates a batch whose lines have the ids `line-0`, `line-1`, and so on. @param owner by default, `alice` */
  create(endpoint: string, bodies: readonly object[], params?: Partial<BatchParams>, owner?: string): Promise<Batch>;
  /** Waits until a batch has ended. */
  ended(batch: Batch, owner?: string): Promise<Batch>;
  /** The results by the client's ids. */
  results(batch: Batch): Promise<Map<string, BatchLineResult>>;
  /** The entries of a batch in the ledger. */
  entries(batch: Batch): Promise<LedgerEntry[]>;
  close(): Promise<void>;
}

/** @param input the configuration, without Redis and batches */
export async function batchesRig(input: object): Promise<BatchesRig> {
  const { redisUrl, prefix } = testRedis();
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-worker-batches-'));
  const parsed = ConfigSchema.parse({ ...input, redis: { prefix }, batches: { poll_ms: 20 } });
  const config = { ...parsed, dataDir: dir, contentDir: dir, disabledUpstreams: [], disabledModels: [] };
  const content = createLocalContentStore(dir);
  const settings = { url: redisUrl, shards: [{ url: redisUrl }] };
  const redis = openRedis(redisUrl);
  const metrics = { api: createMetrics(), worker: createWorkerMetrics() };
  const parts = { config, redis: settings, content, connections, logger };
  const api = await openInternalApi({ ...parts, secret: 'a secret of the test', metrics: metrics.api });
  const { accounts } = buildUpstreams({ ...upstreamSettings(config), logger, connections });
  const files = createFileStore({ redis, prefix, content, settings: fileSettings(config) });
  const store = createBatchStore({ redis, prefix, settings: batchSettings(config) });

  const rig: BatchesRig = {
    config,
    prefix,
    redis,
    files,
    store,
    api,
    metrics,
    serve: api.serve,
    async create(endpoint, bodies, params = {}, owner = 'alice') {
      const lines = bodies.map((body, at) => ({ custom_id: `line-${at}`, method: 'POST', url: endpoint, body }));
      async function* bytes(): AsyncGenerator<Uint8Array> {
        for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
      }
      const written = await files.write(bytes(), 1_000_000);
      const described = { filename: 'in.jsonl', mediaType: 'application/jsonl', purpose: 'batch' } as const;
      const { id: inputFileId } = await files.create(owner, described, written);
      const common = { protocol: 'openai', endpoint, windowMs: 3_600_000, metadata: {} } as const;
      return store.create(owner, { ...common, inputFileId, ...params });
    },
    async ended({ id }, owner = 'alice') {
      await expect.poll(async () => isFinalBatch(await store.find(owner, id)), LONG).toBe(true);
      return store.find(owner, id);
    },
    async results({ outputFileId, errorFileId }) {
      const results = new Map<string, BatchLineResult>();
      for (const id of [outputFileId, errorFileId]) {
        if (id === undefined) continue;
        const chunks = (await (await files.open(id)).toArray()) as Buffer[];
        for (const line of Buffer.concat(chunks).toString().trim().split('\n')) {
          const result = JSON.parse(line) as BatchLineResult;
          results.set(result.custom_id, result);
        }
      }
      return results;
    },
    async entries({ id }) {
      const digits = id.slice('batch_'.length);
      const entries = await redis.xrange(ledgerKeys(prefix).stream, '-', '+');
      const all = entries.map(([, [, text = '']]) => JSON.parse(text) as LedgerEntry);
      return all.filter(({ requestId }) => requestId?.includes(digits));
    },
    async close() {
      await batches.close(1_000);
      await api.close(1_000);
      redis.disconnect();
      await rm(dir, { recursive: true, force: true });
    },
  };
  const batches = startBatches({
    config,
    settings,
    content,
    accounts,
    logger,
    api: { start: () => Promise.resolve(), serve: (request) => rig.serve(request) },
    metrics: metrics.worker,
  });
  return rig;
}
