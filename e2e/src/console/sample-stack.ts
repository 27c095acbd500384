import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LedgerEntry, openLedgerStore } from '@sluice/ledger';
import { startOwnRedis } from '../own-redis.ts';
import { type Stack, startStack } from '../stack.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';

const [HOUR_MS, DAYS] = [3_600_000, 30];
const KEY = 'sk-sample-0123456789';
const TEAMS = ['support-bot', 'search', 'studio', 'research'];
/** Models with the price of a token in nano-dollars, and their share of the requests. */
const MODELS = [
  { model: 'gpt-5-mini', upstream: 'openai', nanos: 600, share: 5 },
  { model: 'claude-sonnet-4-5', upstream: 'anthropic', nanos: 2_400, share: 3 },
  { model: 'gemini-2.5-flash', upstream: 'google', nanos: 450, share: 3 },
  { model: 'mistral-large', upstream: 'mistral', nanos: 1_300, share: 1 },
];
const KINDS: Record<string, string> = {
  openai: 'chat-completions',
  anthropic: 'messages',
  google: 'generative-content',
  mistral: 'chat-completions',
};

export interface SampleStack extends Stack {
  /** The id of a completed video. */
  video: string;
}

/** A gateway with the built console, a month of requests in its ledger, and tasks of the sandbox. */
export async function startSampleStack(): Promise<SampleStack> {
  await prepareConsole();
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-sample-'));
  const redis = await startOwnRedis(dir);
  const stack = await startStack({
    redisUrl: redis.url,
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    renderMs: 1_500,
    configFor: (url) => ({
      upstreams: Object.fromEntries(
        Object.entries(KINDS).map(([name, kind]) => [
          name,
          { kind, base_url: url + baseOf(kind), api_key: 'sk-sandbox' },
        ]),
      ),
      models: MODELS.map(({ model, upstream, nanos }) => ({
        id: model,
        routes: [{ upstream, model }],
        price: { input: nanos / 1_000, output: nanos / 200 },
      })),
    }),
    config: {
      sandbox: { enabled: true },
      keys: TEAMS.map((name, at) => ({ name, key: at === 0 ? KEY : `${KEY}-${at}` })),
    },
  });
  const store = openLedgerStore({ file: path.join(stack.dir, 'data/ledger.sqlite') });
  await store.add(sampleEntries());
  await store.close();
  const video = await createVideo(stack.origin);
  const close = stack.close.bind(stack);
  return Object.assign(stack, {
    video,
    async close() {
      await close();
      await redis.stop();
      await rm(dir, { recursive: true, force: true });
    },
  });
}

function baseOf(kind: string): string {
  return { 'chat-completions': '/v1', 'generative-content': '/v1beta' }[kind] ?? '';
}

/** More requests in the day than at night, and some errors. */
function sampleEntries(): LedgerEntry[] {
  const random = randomNumbers();
  const weighted = MODELS.flatMap((model) => Array.from({ length: model.share }, () => model));
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T; // The lists are not empty.
  const entries: LedgerEntry[] = [];
  const now = Date.now();
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    const start = now - (hour + 1) * HOUR_MS;
    const daylight = 1 + Math.sin(((new Date(start).getUTCHours() - 8) / 24) * 2 * Math.PI);
    const count = Math.round((6 + 26 * daylight) * (0.8 + 0.4 * random()));
    for (let index = 0; index < count; index += 1) {
      const at = start + Math.floor(random() * HOUR_MS);
      entries.push(entryAt(at, entries.length, { ...pick(weighted), key: pick(TEAMS) }, random));
    }
  }
  return entries;
}

interface Sample {
  model: string;
  upstream: string;
  nanos: number;
  key: string;
}

function entryAt(
  at: number,
  index: number,
  { model, upstream, nanos, key }: Sample,
  random: () => number,
): LedgerEntry {
  const isError = random() < 0.012;
  const [inputTokens, outputTokens] = [Math.round(200 + 3_000 * random() ** 2), Math.round(40 + 700 * random() ** 2)];
  const durationMs = Math.round(400 + outputTokens * 9 * (0.6 + random()));
  const lines = [
    { unit: 'input_tokens', quantity: inputTokens, nanos: inputTokens * nanos },
    { unit: 'output_tokens', quantity: outputTokens, nanos: outputTokens * nanos * 5 },
  ] as const;
  return {
    id: `led_sample${index.toString(36).padStart(8, '0')}`,
    type: 'request',
    at,
    requestId: `req_${(index * 7_919 + 1_000_003).toString(16).padStart(12, '0')}`,
    key,
    endpoint: 'POST /v1/chat/completions',
    protocol: 'chat-completions',
    model,
    upstream,
    upstreamModel: model,
    attempts: [{ upstream, result: isError ? 'upstream_error' : 'served', ms: durationMs }],
    isRelayed: upstream === 'openai',
    status: isError ? 502 : 200,
    ...(isError && { errorCode: 'upstream_error', costNanos: 0 }),
    durationMs,
    ...(!isError && {
      firstEventMs: Math.round(180 + 600 * random() ** 3),
      usage: { inputTokens, outputTokens },
      costNanos: lines[0].nanos + lines[1].nanos,
      lines: [...lines],
      priceSource: { from: 'config' },
    }),
  };
}

async function createVideo(origin: string): Promise<string> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const call = async (at: string, body?: object): Promise<{ id: string; status: string }> => {
    const response = await fetch(origin + at, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    // The cast is safe because both calls return a task.
    return (await response.json()) as { id: string; status: string };
  };
  const prompt = 'A paper boat drifts down a rain-soaked street at dusk, neon reflections in the puddles';
  const { id } = await call('/v1/videos', { model: 'sandbox-video', prompt, seconds: '8', size: '1280x720' });
  for (const until = Date.now() + 120_000; Date.now() < until;) {
    if ((await call(`/v1/tasks/${id}`)).status === 'completed') return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The video ${id} does not complete.`);
}

/** Returns the same numbers from 0 to 1 in each run. */
function randomNumbers(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
