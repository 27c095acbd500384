import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../chaos/seeded-random.ts';
import { Client } from '../client.ts';
import { startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { costOf, type CountingVendor, PRICE, startCountingVendor } from './counting-vendor.ts';
import { judgeLedger } from './judge-ledger.ts';
import { judgeResults } from './judge-results.ts';
import type { KillPoint } from './kill-points.ts';
import { killAtPoints, killAtRandom } from './kill-workers.ts';
import { measurePeaks } from './measure-peaks.ts';

export interface BatchRunOptions {
  lines: number;
  workers: number;
  /** Points at which workers die before the other workers start, one worker at each. */
  points: readonly KillPoint[];
  /** How often a worker is killed at a random time. */
  kills: number;
  /** Time until a response of the vendor, in milliseconds. */
  delay: number;
  seed: number;
  /** Whether the key has a budget, so that each line is charged. */
  isCharged: boolean;
  /** A folder with the built programs. If omitted, the sources run, and their memory is not judged. */
  built?: string;
  onProgress?: (completed: number) => void;
}

export interface BatchReport {
  rows: [name: string, value: string][];
  /** One line per violation. */
  faults: string[];
}

interface BatchObject {
  id: string;
  status: string;
  output_file_id: string | null;
  error_file_id: string | null;
  request_counts: { total: number; completed: number; failed: number };
  usage?: { input_tokens: number; output_tokens: number };
  errors?: unknown;
}

interface Run {
  options: BatchRunOptions;
  stack: Stack;
  client: Client;
  vendor: CountingVendor;
  redisUrl: string;
}

const MAX_BYTES = 300e6;
const POLL_MS = 250;
const MIB = 1024 * 1024;
/** The memory settings of a release (`scripts/lib/server-flags.mjs`). */
const SERVER_ENV = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '262144',
};

/** Runs one batch while workers are killed. Compares its results with the calls of the vendor and with the ledger. */
export async function runBatch(options: BatchRunOptions): Promise<BatchReport> {
  const { lines, delay, built, isCharged } = options;
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-batch-run-'));
  const vendor = await startCountingVendor(lines, delay);
  const redis = await startOwnRedis(dir);
  const stack = await startStack({
    redisUrl: redis.url,
    workers: 0,
    ...(built !== undefined && { built, apiEnv: SERVER_ENV }),
    configFor: () => ({
      upstreams: { chat: { kind: 'chat-completions', base_url: vendor.url, api_key: VENDOR_KEY } },
      models: [{ id: 'small', routes: [{ upstream: 'chat', model: 'small' }], price: PRICE }],
    }),
    config: {
      batches: { lease_ms: 3_000 },
      files: { max_bytes: 1_024 * MIB },
      log: { level: 'warn' },
      ...(isCharged && { keys: [{ name: 'client', key: KEY, budget: { usd: 1_000_000, period: 'total' } }] }),
    },
  });
  try {
    const client = new Client(stack.origin, KEY);
    const input = path.join(dir, 'input.jsonl');
    await writeInput(input, lines);
    return await execute({ options, stack, client, vendor, redisUrl: redis.url }, input);
  } finally {
    await stack.close();
    await redis.stop();
    vendor.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function execute(run: Run, input: string): Promise<BatchReport> {
  const { stack, client, options, redisUrl } = run;
  const { points, kills, workers, seed, built } = options;
  const random = seededRandom(seed);
  const env = built === undefined ? {} : SERVER_ENV;
  const ending = new AbortController();
  try {
    const { id } = await createBatch(client, input);
    const killed = await killAtPoints(stack, points, random);
    const sampling = measurePeaks(stack, redisUrl, ending.signal);
    const before = (await batchOf(run, id)).request_counts.completed;
    const startedAt = performance.now();
    for (let count = 0; count < workers; count += 1) await stack.startWorker(env);
    const killing = killAtRandom(stack, { kills, random, env }, ending.signal);
    const batch = await ended(run, id);
    const seconds = (performance.now() - startedAt) / 1_000;
    ending.abort();
    const report = await judge(run, batch);
    const peaks = await sampling;
    for (const name of ['worker', 'API']) {
      const isTooLarge = built !== undefined && (peaks.get(name) ?? 0) > MAX_BYTES;
      if (isTooLarge) report.faults.push(`the ${name} used more than ${MAX_BYTES / 1e6} MB`);
    }
    return {
      rows: [
        ['lines', String(options.lines)],
        ['kill -9 at points / at random', `${points.length} / ${await killing}`],
        ['lines per second', ((batch.request_counts.completed - before) / seconds).toFixed(0)],
        ...report.rows,
        ...[...peaks].map(([name, value]): [string, string] => [
          `peak memory: ${name}`,
          `${(value / 1e6).toFixed(0)} MB`,
        ]),
      ],
      faults: [...killed, ...report.faults],
    };
  } finally {
    ending.abort();
  }
}

async function judge({ client, vendor, stack, redisUrl, options }: Run, batch: BatchObject): Promise<BatchReport> {
  const results = await judgeResults(client, [batch.output_file_id, batch.error_file_id], vendor.calls);
  const { completed, unknown, failed } = results;
  const dataDir = stack.env['SLUICE_DATA_DIR'] ?? '';
  const ledger = await judgeLedger(
    { redisUrl, dataDir, owner: 'client', isCharged: options.isCharged },
    batch.id,
    results,
  );
  const faults = [...results.faults, ...ledger.faults];
  if (batch.status !== 'completed') faults.push(`the batch is ${batch.status}: ${JSON.stringify(batch.errors)}`);
  const { request_counts: counts } = batch;
  if (counts.total !== options.lines || counts.completed !== completed || counts.failed !== unknown + failed) {
    faults.push(`the counts ${JSON.stringify(counts)} are not those of the files: ${completed}, ${unknown}, ${failed}`);
  }
  const { input_tokens: input = 0, output_tokens: output = 0 } = batch.usage ?? {};
  const usageNanos = costOf({ prompt_tokens: input, completion_tokens: output });
  const fileNanos = results.costs.reduce((sum, nanos) => sum + nanos, 0);
  if (usageNanos !== fileNanos)
    faults.push(`the usage of the batch costs ${usageNanos}, and that of the files ${fileNanos}`);
  if (failed > 0) faults.push(`${failed} lines have failed`);
  return {
    rows: [
      ['completed / unknown / failed', `${completed} / ${unknown} / ${failed}`],
      ['ledger entries, of which with an unknown outcome', `${ledger.entries} / ${ledger.unknown}`],
      ['cost in the ledger', `$${(ledger.nanos / 1e9).toFixed(9)}`],
    ],
    faults,
  };
}

/** Writes an input file whose lines have their own number as the message. */
async function writeInput(file: string, lines: number): Promise<void> {
  const handle = await open(file, 'w');
  for (let from = 0; from < lines; from += 1_000) {
    const texts = Array.from({ length: Math.min(1_000, lines - from) }, (_, at) => lineOf(from + at));
    await handle.write(texts.join(''));
  }
  await handle.close();
}

function lineOf(number: number): string {
  const body = { model: 'small', max_tokens: 10, messages: [{ role: 'user', content: String(number) }] };
  return `${JSON.stringify({ custom_id: `line-${number}`, method: 'POST', url: '/v1/chat/completions', body })}\n`;
}

async function createBatch(client: Client, file: string): Promise<BatchObject> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', await openAsBlob(file, { type: 'application/jsonl' }), 'input.jsonl');
  const { id } = await jsonOf<{ id: string }>(await client.fetch('/v1/files', { method: 'POST', body: form }));
  const body = JSON.stringify({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' });
  const headers = { 'content-type': 'application/json' };
  return jsonOf(await client.fetch('/v1/batches', { method: 'POST', headers, body }));
}

async function ended(run: Run, id: string): Promise<BatchObject> {
  for (;;) {
    const batch = await batchOf(run, id);
    if (!['validating', 'in_progress', 'finalizing'].includes(batch.status)) return batch;
    run.options.onProgress?.(batch.request_counts.completed);
    await sleep(POLL_MS);
  }
}

async function batchOf({ client }: Run, id: string): Promise<BatchObject> {
  return jsonOf(await client.fetch(`/v1/batches/${id}`));
}

async function jsonOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} responds with ${response.status}: ${text}`);
  return JSON.parse(text) as T; // The cast is safe because the gateway wrote it.
}
