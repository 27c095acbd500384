import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LedgerEntry, ledgerKeys, readLedgerStats } from '@sluice/ledger';
import type { Row } from '../measure/report.ts';
import type { Stage } from '../measure/stage.ts';
import { until } from '../measure/until.ts';

/** The default of `redis.prefix`. */
const PREFIX = 'sluice';
const PER_MINUTE = 100_000;
/** Entries of one pipeline. */
const CHUNK = 500;
const GOAL_AGE_MS = 2_000;

/** Measures how fast one worker moves ledger entries from Redis to the SQLite store. */
export async function measureLedgerDrain(stage: Stage): Promise<Row[]> {
  const { quick } = stage.options;
  await stage.configure();
  const backlog = quick ? 20_000 : PER_MINUTE;
  await append(stage, backlog);
  const worker = await stage.start('worker');
  const first = await waitUntilStored(stage, CHUNK);
  let last = first;
  const cpuUs = await worker.cpuDuring(async () => {
    last = await waitUntilStored(stage, backlog);
  });
  const entries = last.stored - first.stored;
  const perMinute = (entries / (last.at - first.at)) * 60_000;
  const ages = await measureSteady(stage, quick ? 10 : 300);
  await worker.stop();
  for (const suffix of ['', '-wal', '-shm']) await rm(path.join(stage.dir, `ledger.sqlite${suffix}`), { force: true });
  const maxAge = Math.max(...ages);
  return [
    {
      figure: `ledger entries that one worker stores per minute, from a backlog of ${backlog.toLocaleString('en')}`,
      sluice: Math.round(perMinute).toLocaleString('en'),
      reached: Math.round(perMinute).toLocaleString('en'),
      goal: `≥ ${PER_MINUTE.toLocaleString('en')}`,
      ok: perMinute >= PER_MINUTE,
      raw: { entries, ms: last.at - first.at },
    },
    {
      figure: '– CPU of the worker per entry',
      sluice: `${(cpuUs / entries).toFixed(0)} µs`,
      reached: '–',
      raw: { cpuUs },
    },
    {
      figure: `– age of the oldest waiting entry, while ${PER_MINUTE.toLocaleString('en')} arrive per minute for ${ages.length} s, maximum`,
      sluice: `${maxAge.toFixed(0)} ms`,
      reached: `${maxAge.toFixed(0)} ms`,
      goal: `≤ ${GOAL_AGE_MS} ms`,
      ok: maxAge <= GOAL_AGE_MS,
      raw: { ages },
    },
  ];
}

/** Appends entries at a steady rate. Returns the age of the oldest waiting entry in each second. */
async function measureSteady(stage: Stage, seconds: number): Promise<number[]> {
  const ages: number[] = [];
  const startedAt = performance.now();
  let appended = 0;
  while (ages.length < seconds) {
    const due = Math.floor(((performance.now() - startedAt) / 60_000) * PER_MINUTE);
    await append(stage, due - appended);
    appended = due;
    if (performance.now() - startedAt >= (ages.length + 1) * 1_000)
      ages.push((await readLedgerStats(stage.redis, PREFIX, Date.now())).oldestAgeMs);
    await sleep(50);
  }
  return ages;
}

async function waitUntilStored(stage: Stage, count: number): Promise<{ at: number; stored: number }> {
  let stored = 0;
  const isStored = async () => {
    ({ stored } = await readLedgerStats(stage.redis, PREFIX, Date.now()));
    return stored >= count;
  };
  await until(`${count} ledger entries are stored`, isStored, 120_000);
  return { at: performance.now(), stored };
}

async function append({ redis }: Stage, count: number): Promise<void> {
  for (let left = count; left > 0; left -= CHUNK) {
    const pipeline = redis.pipeline();
    for (let index = 0; index < Math.min(left, CHUNK); index += 1)
      pipeline.xadd(ledgerKeys(PREFIX).stream, '*', 'entry', JSON.stringify(entry(index)));
    await pipeline.exec();
  }
}

let ids = 0;

function entry(index: number): LedgerEntry {
  const requestId = `req_${randomUUID()}`;
  ids += 1;
  return {
    // As in the API: random for each process, and then counted.
    id: `led_${'3f9a'.repeat(5)}${ids.toString(36).padStart(7, '0')}`,
    type: 'request',
    at: Date.now(),
    requestId,
    key: `key-${index % 40}`,
    user: `user-${(index * 31) % 1_000}`,
    labels: { team: `team-${index % 8}`, feature: `feature-${index % 5}` },
    endpoint: 'POST /v1/chat/completions',
    protocol: 'chat-completions',
    model: `model-${index % 12}`,
    upstream: `upstream-${index % 3}`,
    upstreamModel: `model-${index % 12}`,
    attempts: [{ upstream: `upstream-${index % 3}`, result: 'served', ms: 812 }],
    isRelayed: true,
    status: 200,
    durationMs: 815,
    firstEventMs: 120,
    usage: { inputTokens: 1_200 + index, cachedTokens: 1_000, outputTokens: 240 },
    costNanos: 4_512_000,
    lines: [
      { unit: 'input_tokens', quantity: 200 + index, nanos: 600_000 },
      { unit: 'cached_input_tokens', quantity: 1_000, nanos: 300_000 },
      { unit: 'output_tokens', quantity: 240, nanos: 3_612_000 },
    ],
    priceSource: { from: 'config' },
  };
}
