import { setTimeout as sleep } from 'node:timers/promises';
import type { Burst, BurstResult } from '../../load/load-generator.ts';
import { type Row, times } from '../../measure/report.ts';
import { BENCH_KEY, type Stage } from '../../measure/stage.ts';
import { median } from '../../measure/statistics.ts';
import { until } from '../../measure/until.ts';

const MODEL = 'small';
const ENDPOINT = '/v1/chat/completions';
const LINES = 50_000;
const CLIENTS = 2;
/** In this time, the batch learns the capacity of the vendor. */
const WARM_UP_MS = 60_000;
const BURST_MS = 45_000;
/** Time for the lines in flight to end, or for the batch to start again. */
const SWITCH_MS = 5_000;
const GOAL = 1.2;

/** Compares the latency of chats without and beside a batch that saturates the same upstream. */
export async function measureBesideBatch(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const vendor = await stage.start('limited-vendor');
  await stage.configureText({
    upstreams: { chat: { kind: 'chat-completions', base_url: `${vendor.url}/v1`, api_key: 'vendor-key' } },
    models: [{ id: MODEL, routes: [{ upstream: 'chat', model: MODEL }] }],
  });
  const [api, worker] = [await stage.start('api'), await stage.start('worker')];
  const load = await stage.start('load-generator');
  const batch = new SwitchedBatch(api.url);
  const chats = async (ms: number): Promise<BurstResult> => {
    const headers = { authorization: `Bearer ${BENCH_KEY}` };
    const burst: Burst = { url: api.url + ENDPOINT, headers, body: bodyOf('hello'), concurrency: CLIENTS, ms };
    const result = await load.call<BurstResult>('run', burst);
    if (result.errors > 0) throw new Error(`${result.errors} requests failed`);
    return result;
  };
  await batch.create();
  const burstMs = quick ? 5_000 : BURST_MS;
  for (let warmUp = 0; warmUp < WARM_UP_MS / BURST_MS; warmUp += 1) await chats(burstMs);
  const results: { without: BurstResult; beside: BurstResult; linesPerSecond: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await batch.pause(true);
    const without = await chats(burstMs);
    await batch.pause(false);
    const before = await batch.completed();
    const beside = await chats(burstMs);
    const linesPerSecond = ((await batch.completed()) - before) / (beside.ms / 1_000);
    results.push({ without, beside, linesPerSecond });
  }
  await Promise.all([api, worker, load, vendor].map((subject) => subject.stop()));
  return [rowOf(results, 'p99Ms', 'p99', GOAL), rowOf(results, 'p50Ms', 'median'), linesRow(results)];
}

type Results = readonly { without: BurstResult; beside: BurstResult; linesPerSecond: number }[];

function rowOf(results: Results, name: 'p50Ms' | 'p99Ms', label: string, goal?: number): Row {
  const ratio = median(results.map(({ without, beside }) => beside[name] / without[name]));
  const [without, beside] = (['without', 'beside'] as const).map((of) => median(results.map((one) => one[of][name])));
  return {
    figure: `chats at an upstream that serves 8 at once, without → beside a batch, ${label}`,
    sluice: `${without?.toFixed(0)} → ${beside?.toFixed(0)} ms`,
    reached: times(ratio),
    ...(goal !== undefined && { goal: `≤ ${goal}×`, ok: ratio <= goal }),
    raw: { results },
  };
}

function linesRow(results: Results): Row {
  const lines = median(results.map(({ linesPerSecond }) => linesPerSecond));
  return { figure: '– lines of the batch per second', sluice: lines.toFixed(1), reached: '–', raw: { lines } };
}

function bodyOf(content: string): string {
  return JSON.stringify({ model: MODEL, max_tokens: 10, messages: [{ role: 'user', content }] });
}

/** A batch that can be paused. */
class SwitchedBatch {
  readonly #origin: string;
  #id = '';

  constructor(origin: string) {
    this.#origin = origin;
  }

  async create(): Promise<void> {
    const lines = Array.from({ length: LINES }, (_, at) =>
      JSON.stringify({
        custom_id: `line-${at}`,
        method: 'POST',
        url: ENDPOINT,
        body: JSON.parse(bodyOf('hello')) as object,
      }),
    );
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([lines.join('\n')]), 'input.jsonl');
    const { id: input } = await this.#call<{ id: string }>('/v1/files', { method: 'POST', body: form });
    const body = { input_file_id: input, endpoint: ENDPOINT, completion_window: '24h' };
    ({ id: this.#id } = await this.#post<{ id: string }>('/v1/batches', body));
    await until('the batch runs', async () => (await this.completed()) > 0, 60_000);
  }

  async pause(paused: boolean): Promise<void> {
    await this.#post(`/v1/batches/${this.#id}`, { paused });
    await sleep(SWITCH_MS);
  }

  async completed(): Promise<number> {
    const batch = await this.#call<{ request_counts: { completed: number } }>(`/v1/batches/${this.#id}`);
    return batch.request_counts.completed;
  }

  #post<T>(path: string, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#call<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #call<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${BENCH_KEY}`);
    const response = await fetch(this.#origin + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path} responds with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T; // The cast is safe because the gateway wrote it.
  }
}
