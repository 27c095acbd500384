import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type LedgerEntry, openLedgerStore } from '@sluice/ledger';
import { Redis } from 'ioredis';
import { startOwnRedis } from '../own-redis.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';

export const [MODELS, UPSTREAMS, CHANGES] = [600, 150, 300] as const;
/** Entries that the store itself adds. The others are copies of them, because this takes a tenth of the time. */
const ORIGINALS = 40_000;
const TASKS_PER_CALL = 200;

/** Prompts that lead the sandbox to each state. */
const PROMPTS = {
  completed: 'A paper boat',
  failed: 'A paper boat [moderated-output]',
  in_progress: 'A river [stall]',
};

/** A gateway with many models, upstreams, and changes, and with the given numbers of entries and tasks. */
export async function startLargeStack({ entries, tasks }: { entries: number; tasks: number }): Promise<Stack> {
  await prepareConsole();
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-large-'));
  const redis = await startOwnRedis(dir);
  const stack = await startStack({
    redisUrl: redis.url,
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    configFor: manyModels,
  });
  await fillLedger(path.join(stack.dir, 'data/ledger.sqlite'), Math.ceil(entries / ORIGINALS));
  await copyTasks(stack, redis.url, tasks);
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  for (let sent = 0; sent < CHANGES; sent += 1)
    await (await fetch(`${stack.origin}/admin/v1/webhooks/unknown-${sent}`, { method: 'DELETE', headers })).text();
  const close = stack.close.bind(stack);
  return Object.assign(stack, {
    async close() {
      await close();
      await redis.stop();
      await rm(dir, { recursive: true, force: true });
    },
  });
}

function manyModels(url: string): { upstreams: Record<string, unknown>; models: unknown[] } {
  const names = Array.from({ length: UPSTREAMS }, (_, at) => `upstream-${at}`);
  const upstream = { kind: 'chat-completions', base_url: `${url}/v1`, api_key: VENDOR_KEY };
  return {
    upstreams: Object.fromEntries(names.map((name) => [name, upstream])),
    models: Array.from({ length: MODELS }, (_, at) => ({
      id: `model-${at}`,
      routes: [names[at % UPSTREAMS], names[(at + 7) % UPSTREAMS]].map((name) => ({ upstream: name, model: 'large' })),
      price: { input: 1, output: 5 },
    })),
  };
}

/** Adds entries of the last 30 days for all models, and `times - 1` copies of each, with their sums. */
async function fillLedger(file: string, times: number): Promise<void> {
  const store = openLedgerStore({ file });
  await store.add(originals());
  await store.close();
  if (times === 1) return;
  const database = new DatabaseSync(file, { timeout: 60_000 });
  const namesOf = (table: string): string[] =>
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
  const columns = namesOf('ledger_entries');
  const ids = "e.id || '_' || n.copy";
  const copied: Record<string, string> = { id: ids, entry: `json_set(e.entry, '$.id', ${ids})` };
  database.exec(`
    PRAGMA synchronous = OFF;
    BEGIN IMMEDIATE;
    WITH RECURSIVE n(copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM n WHERE copy < ${times - 1})
    INSERT INTO ledger_entries (${columns.join(', ')})
    SELECT ${columns.map((name) => copied[name] ?? `e.${name}`).join(', ')} FROM ledger_entries e, n ORDER BY e.at;`);
  const sums = namesOf('ledger_hourly_all').slice(1);
  const rollups = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'ledger_*ly_*'")
    .all();
  for (const { name } of rollups.filter(({ name: table }) => namesOf(String(table)).includes('requests')))
    database.exec(`UPDATE ${String(name)} SET ${sums.map((sum) => `${sum} = ${sum} * ${times}`).join(', ')}`);
  database.exec('COMMIT');
  database.close();
}

function originals(): LedgerEntry[] {
  const [now, span] = [Date.now(), 29 * 86_400_000];
  return Array.from({ length: ORIGINALS }, (_, at): LedgerEntry => {
    const upstream = `upstream-${at % UPSTREAMS}`;
    return {
      id: `led_heap${at.toString(36).padStart(8, '0')}`,
      type: 'request',
      at: now - Math.floor((span * at) / ORIGINALS),
      requestId: `req_${at.toString(16).padStart(12, '0')}`,
      // Half of all entries, so that the holder's lists are long, too.
      key: at % 2 === 0 ? 'client' : `key-${at % 40}`,
      endpoint: 'POST /v1/chat/completions',
      protocol: 'chat-completions',
      model: `model-${at % MODELS}`,
      upstream,
      upstreamModel: 'large',
      attempts: [{ upstream, result: 'served', ms: 300 }],
      isRelayed: true,
      status: at % 90 === 0 ? 502 : 200,
      durationMs: 400 + (at % 900),
      firstEventMs: 300,
      usage: { inputTokens: 100 + (at % 500), outputTokens: 50 },
      costNanos: 1_000 * (at % 700),
      priceSource: { from: 'config' },
    };
  });
}

/** Copies a task in each state until there are enough, with all that lists read. */
async function copyTasks(stack: Stack, redisUrl: string, count: number): Promise<void> {
  const templates = await Promise.all(
    Object.entries(PROMPTS).map(([status, prompt]) => createTask(stack.origin, prompt, status)),
  );
  const redis = new Redis(redisUrl);
  const [key = ''] = await redis.keys(`*:task:${templates[0]}`);
  const prefix = key.slice(0, key.lastIndexOf('task:'));
  for (let from = 0; from < count; from += TASKS_PER_CALL)
    await redis.eval(COPY_TASKS, 0, prefix, from, Math.min(count, from + TASKS_PER_CALL) - 1, ...templates);
  redis.disconnect();
}

/** ARGV: prefix, first number, last number, ids of the templates. Each copy is twenty seconds older than the previous one. */
const COPY_TASKS = `
local prefix = ARGV[1]
for number = tonumber(ARGV[2]), tonumber(ARGV[3]) do
  local template = ARGV[4 + number % (#ARGV - 3)]
  local id = string.sub(template, 1, 6) .. string.format('%020d', number) .. string.sub(template, 27)
  local key = prefix .. 'task:' .. id
  redis.call('COPY', prefix .. 'task:' .. template, key)
  redis.call('COPY', prefix .. 'request:' .. template, prefix .. 'request:' .. id)
  local task = redis.call('HMGET', key, 'createdAt', 'status', 'ownerId')
  local at = string.format('%d', task[1] - 20000 * (number + 1))
  redis.call('HSET', key, 'id', id, 'createdAt', at)
  redis.call('ZADD', prefix .. 'state:' .. task[2], at, id)
  redis.call('ZADD', prefix .. 'owner:' .. task[3], 0, id)
  redis.call('HINCRBY', prefix .. 'stats', 'tasks:' .. task[2], 1)
end`;

/** @returns the id, when the task has this internal status */
async function createTask(origin: string, prompt: string, status: string): Promise<string> {
  const call = async (at: string, key: string, body?: object): Promise<{ id: string; status: string }> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(origin + at, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    // The cast is safe because both calls return a task.
    return (await response.json()) as { id: string; status: string };
  };
  const { id } = await call('/v1/videos', KEY, { model: 'test-video', prompt });
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    if ((await call(`/admin/v1/tasks/${id}`, ADMIN_KEY)).status === status) return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The task ${id} does not become ${status}.`);
}
