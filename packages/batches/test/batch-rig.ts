import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Batch,
  type BatchLineResult,
  type BatchParams,
  GatewayError,
  isFinalBatch,
  type Usage,
  type FileObject,
} from '@sluice/canonical';
import { createLocalContentStore } from '@sluice/content';
import { createFileStore, type FileStore } from '@sluice/files';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { type BatchStore, createBatchStore } from '../src/batch-store.ts';
import { type BatchWorker, type BatchWorkerOptions, startBatchWorker } from '../src/batch-worker.ts';
import type { LineRequest, LineResponse, WorkerSettings } from '../src/worker/worker-context.ts';

export const DAY_MS = 86_400_000;
export const LEASE_MS = 30_000;
const MIB = 1024 * 1024;
const ENDPOINT = '/v1/chat/completions';

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  usage?: Usage;
}

/** Called for each line that is sent. */
export type Vendor = (customId: string, request: LineRequest) => Reply | Promise<Reply>;

export interface WorkerParams extends Partial<WorkerSettings> {
  redis?: Redis;
  files?: FileStore;
  serve?: BatchWorkerOptions['serve'];
  vendors?: BatchWorkerOptions['vendors'];
}

/** Batches with real Redis and files, and with a scripted API. Times of leases and windows are those of `clock`. */
export interface BatchRig {
  clock: { now: number };
  redis: Redis;
  prefix: string;
  files: FileStore;
  store: BatchStore;
  /** How often each line was sent, by its custom id. */
  calls: Map<string, number>;
  vendor: Vendor;
  estimate: Reply;
  logged: string[];
  serve: BatchWorkerOptions['serve'];
  upload(content: string | AsyncIterable<Uint8Array>, owner?: string): Promise<FileObject>;
  /** Creates a batch of lines with the custom ids `PREFIX0`, `PREFIX1`, and so on. */
  create(lines: number, params?: Partial<BatchParams>, owner?: string, idPrefix?: string): Promise<Batch>;
  createFrom(content: string | AsyncIterable<Uint8Array>, params?: Partial<BatchParams>): Promise<Batch>;
  startWorker(params?: WorkerParams): BatchWorker;
  find(batch: Batch): Promise<Batch>;
  /** Waits until a batch has ended. */
  ended(batch: Batch): Promise<Batch>;
  /** Reads the results of a batch, those of the output file first. */
  results(batch: Batch): Promise<BatchLineResult[]>;
  close(): Promise<void>;
}

/** @param server by default, the Redis of the test run */
export async function batchRig(server: { redis: Redis; prefix: string } = ownRedis()): Promise<BatchRig> {
  const { redis, prefix } = server;
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-batches-'));
  const clock = { now: 1_700_000_000_000 };
  const now = () => clock.now;
  const fileSettings = {
    ownerBytes: 4_096 * MIB,
    ownerFiles: 1_000,
    // For the uploads of clients. Results can be larger.
    partedBytes: 1,
    retentionMs: 30 * DAY_MS,
  };
  const files = createFileStore({ redis, prefix, content: createLocalContentStore(dir), settings: fileSettings, now });
  const settings = {
    perOwner: 10,
    maxLines: 1_000_000,
    maxLineBytes: MIB,
    maxInputBytes: 1_024 * MIB,
    retentionMs: DAY_MS,
  };
  const workers: BatchWorker[] = [];
  const log = (fields: unknown, message?: string) => void rig.logged.push(`${message} ${JSON.stringify(fields)}`);

  const rig: BatchRig = {
    clock,
    redis,
    prefix,
    files,
    store: createBatchStore({ redis, prefix, settings, now }),
    calls: new Map(),
    vendor: (customId) => ({ status: 200, body: { id: customId } }),
    estimate: { status: 200, body: { cost_usd: 0.25, exceeds: [] } },
    logged: [],
    serve: async (request) => {
      if (request.path.startsWith('/v1/batches')) return encode(rig.estimate);
      // The cast is safe because the rig wrote the body.
      const { user } = JSON.parse(request.body) as { user: string };
      rig.calls.set(user, (rig.calls.get(user) ?? 0) + 1);
      return encode(await rig.vendor(user, request));
    },
    async upload(content, owner = 'alice') {
      const source = typeof content === 'string' ? chunked(content) : content;
      const written = await files.write(source, 1_024 * MIB);
      return files.create(owner, { filename: 'in.jsonl', mediaType: 'application/jsonl', purpose: 'batch' }, written);
    },
    async create(lines, params = {}, owner = 'alice', idPrefix = 'line-') {
      const { endpoint = ENDPOINT } = params;
      const all = Array.from({ length: lines }, (_, at) => lineOf(`${idPrefix}${at}`, { url: endpoint }));
      const { id } = await rig.upload(all.join(''), owner);
      return createBatch(id, params, owner);
    },
    async createFrom(content, params = {}) {
      const { id } = await rig.upload(content);
      return createBatch(id, params, 'alice');
    },
    startWorker({ redis: own = redis, files: ownFiles = files, serve, vendors, ...changed } = {}) {
      const times = { leaseMs: LEASE_MS, pollMs: 10, retryMs: 1_000, vendorPollMs: 1_000, lookUpMs: 600_000 };
      const worker = startBatchWorker({
        redis: own,
        prefix,
        files: ownFiles,
        settings: { ...settings, ...times, maxInFlight: 8, ...changed },
        vendors,
        serve: serve ?? ((line) => rig.serve(line)),
        upstreamOf: (model = '') => model,
        logger: { info: log, warn: log, error: log },
        now,
      });
      workers.push(worker);
      return worker;
    },
    find: ({ id }) => rig.store.load(id).then((batch) => batch ?? fail(`batch ${id} does not exist`)),
    async ended(batch) {
      for (;;) {
        const found = await rig.find(batch);
        if (isFinalBatch(found)) return found;
        await sleep(5);
      }
    },
    async results({ outputFileId, errorFileId }) {
      const results: BatchLineResult[] = [];
      for (const id of [outputFileId, errorFileId]) {
        if (id === undefined) continue;
        const chunks = (await (await files.open(id)).toArray()) as Buffer[];
        const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
        results.push(...lines.map((line) => JSON.parse(line) as BatchLineResult));
      }
      return results;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close(0)));
      redis.disconnect();
      await rm(dir, { recursive: true, force: true });
    },
  };

  function createBatch(inputFileId: string, params: Partial<BatchParams>, owner: string): Promise<Batch> {
    const common = { protocol: 'openai', endpoint: ENDPOINT, windowMs: DAY_MS, metadata: {} } as const;
    return rig.store.create(owner, { ...common, inputFileId, ...params });
  }

  return rig;
}

function ownRedis(): { redis: Redis; prefix: string } {
  const { redisUrl, prefix } = testRedis();
  return { redis: openRedis(redisUrl), prefix };
}

/** Returns a line of an input file, with its line break. */
export function lineOf(customId: string, fields: Record<string, unknown> = {}): string {
  const body = { model: 'small', user: customId, messages: [{ role: 'user', content: 'hi' }] };
  return `${JSON.stringify({ custom_id: customId, method: 'POST', url: ENDPOINT, body, ...fields })}\n`;
}

/** Yields a text in chunks that end within lines. */
export async function* chunked(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

/** How many lines were sent. */
export function total(calls: ReadonlyMap<string, number>): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0);
}

/** Lets each line wait until `release` is called. */
export function gate(): { vendor: Vendor; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { vendor: (customId) => promise.then(() => ({ status: 200, body: { id: customId } })), release: resolve };
}

/** The refusal of an upstream with a rate limit. */
export function refusal(retryAfterMs: number, headers: Record<string, string> = { 'x-sluice-attempts': '1' }): Reply {
  return { status: 429, headers: { ...headers, 'x-should-retry': 'true', 'retry-after-ms': String(retryAfterMs) } };
}

function encode({ status, headers = {}, body = {}, usage }: Reply): LineResponse {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(body));
  }
  return { status, headers, body: bytes(), recorded: async () => ({ usage }) };
}

function fail(message: string): never {
  throw new GatewayError('internal_error', message);
}
