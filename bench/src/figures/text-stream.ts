import { Agent, request } from 'undici';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import type { Row } from '../measure/report.ts';
import { BENCH_KEY, PROMPT, type Stage } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';
import { EVENTS, modelOf, type VendorPath } from '../contenders/text-models.ts';
import {
  costRow,
  type Costs,
  costsOf,
  directPath,
  setTextStage,
  type TextStage,
  type Way,
  waysTo,
} from './text-stage.ts';

const STREAMS = 100;
const MANY_STREAMS = 400;
const MAX_ADDED_MS = 1.5;

/** Measures the CPU time per streamed chunk and the delay of the first chunk. */
export async function measureTextStreams(stage: Stage): Promise<Row[]> {
  const text = await setTextStage(stage);
  try {
    const path = pathOf(stage);
    const costs = await costOf(stage, waysTo(path, text), STREAMS);
    const relayed = costRow('CPU per streamed chunk relayed, 100 streams, one chunk per 20 ms', costs, 'relay', 1, 1);
    const translated = costRow('– translated, messages to chat', costs, 'translate', 1.3, 1);
    return [relayed, translated, await manyStreams(stage, text), await firstChunk(stage, text)];
  } finally {
    await text.close();
  }
}

/** The vendor sends chunks 20 ms apart. */
function pathOf({ options }: Stage): VendorPath {
  return options.quick ? 'brief' : 'paced';
}

/** Measures the CPU time per chunk of each way. */
async function costOf(stage: Stage, ways: Way[], streams: number): Promise<Costs> {
  const { rounds, quick } = stage.options;
  const chunks = EVENTS[pathOf(stage)];
  const count = quick ? streams / 4 : streams;
  const client = new Agent({ connections: count, pipelining: 1 });
  const costs = await costsOf(rounds, ways, count * chunks, ({ peer, at, model }) =>
    eachConcurrently(count, count, () => readStream(client, { url: peer.url + at, model, chunks })),
  );
  await client.close();
  return costs;
}

/** Runs many concurrent streams, checks that all are complete, and measures how much of a core they use. */
async function manyStreams(stage: Stage, { api }: TextStage): Promise<Row> {
  const client = new Agent({ connections: MANY_STREAMS, pipelining: 1 });
  const path = pathOf(stage);
  const chunks = EVENTS[path];
  const stream = { url: `${api.url}/v1/chat/completions`, model: modelOf(path, 'chat'), chunks };
  const startedAt = performance.now();
  const cpuUs = await api.cpuDuring(() =>
    eachConcurrently(MANY_STREAMS, MANY_STREAMS, () => readStream(client, stream)),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  await client.close();
  const share = cpuUs / 1e6 / seconds;
  return {
    figure: `${MANY_STREAMS} concurrent streams through one process: share of a core`,
    sluice: `${(share * 100).toFixed(0)} %`,
    reached: `${((MANY_STREAMS * chunks) / seconds).toFixed(0)} chunks/s, all complete`,
    raw: { cpuUs, seconds },
  };
}

/** Compares the delay of the first chunk of sequential requests with the delay of direct requests to the vendor. */
async function firstChunk({ options: { quick } }: Stage, text: TextStage): Promise<Row> {
  const client = new Agent({ connections: 1, pipelining: 1 });
  const ways = waysTo('first', text);
  const waits = new Map<string, number[]>();
  for (let turn = 0; turn < (quick ? 40 : 400); turn++) {
    const direct = text.vendor.url + directPath('first');
    add(waits, 'direct', await firstByteMs(client, direct, 'vendor-model'));
    for (const { name, peer, at, model } of ways) add(waits, name, await firstByteMs(client, peer.url + at, model));
  }
  await client.close();
  const middle = (name: string) => median(waits.get(name) ?? []);
  const added = (name: string) => `+${(middle(name) - middle('direct')).toFixed(2)} ms`;
  const ms = middle('relay') - middle('direct');
  return {
    figure: 'delay of the first chunk compared with the vendor, relayed / translated, p50',
    sluice: `${added('relay')} / ${added('translate')}`,
    proxy: added('proxy'),
    fastify: added('fastify'),
    ...(text.peers.nginx && { nginx: added('nginx') }),
    reached: `${ms.toFixed(2)} ms`,
    goal: `≤ ${MAX_ADDED_MS} ms`,
    ok: ms <= MAX_ADDED_MS,
    raw: Object.fromEntries(waits),
  };
}

function add(waits: Map<string, number[]>, name: string, ms: number): void {
  waits.set(name, [...(waits.get(name) ?? []), ms]);
}

function send(client: Agent, url: string, model: string) {
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: PROMPT }] });
  return request(url, { dispatcher: client, method: 'POST', headers, body });
}

/** Reads a stream and checks that it is complete. */
async function readStream(
  client: Agent,
  { url, model, chunks: expected }: { url: string; model: string; chunks: number },
): Promise<void> {
  const response = await send(client, url, model);
  const text = await response.body.text();
  const chunks = text.split('the lazy dog').length - 1;
  if (chunks !== expected || !text.includes('[DONE]'))
    throw new Error(`${url} returned ${chunks} chunks: ${text.slice(-300)}`);
}

async function firstByteMs(client: Agent, url: string, model: string): Promise<number> {
  const startedAt = performance.now();
  const response = await send(client, url, model);
  let ms = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    if (chunk.byteLength > 0) ms ||= performance.now() - startedAt;
  return ms;
}
