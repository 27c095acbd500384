import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { eachConcurrently } from '../each-concurrently.ts';
import { mebibytes, microseconds, type Row, times } from '../report.ts';
import { BENCH_KEY, PROMPT, type Stage } from '../stage.ts';
import { median } from '../statistics.ts';
import { modelOf, peerOf, setTextStage, type TextPeer, type TextStage, VENDOR_PATHS } from './text-stage.ts';

/** One at a time comes last: by then everything is compiled. */
const CONCURRENCIES = [32, 128, 1];
const IDLE_MS = 3_000;
const MOST_IDLE_MIB = 130;

/** One way that a request takes. */
interface Way {
  name: 'relay' | 'translate' | 'proxy' | 'fastify' | 'nginx';
  peer: TextPeer;
  at: string;
  model: string;
}

/** Takes the CPU of whole chat answers: relayed, translated, and beside the peers; and the memory of an idle API. */
export async function measureTextRequests(stage: Stage): Promise<Row[]> {
  const { quick } = stage.options;
  const text = await setTextStage(stage);
  try {
    await sleep(IDLE_MS);
    const idleBytes = (await text.api.usage()).rssBytes;
    const rows: Row[] = [];
    for (const concurrency of CONCURRENCIES) {
      const count = (concurrency === 1 ? 2_000 : 8_000) / (quick ? 10 : 1);
      const costs = await costOf(stage, waysOf(text), { concurrency, count, body: talk });
      rows.push(
        row(`CPU per chat request relayed, ${concurrency} at once`, costs, 'relay', 1.2),
        row(`– translated, chat to messages`, costs, 'translate', 1.4),
      );
    }
    const picture = 'a'.repeat(1024 * 1024);
    const ways = waysOf(text).filter(({ name }) => name !== 'translate');
    const load = { concurrency: 8, count: quick ? 40 : 400, body: (model: string) => look(model, picture) };
    rows.push(row('CPU per request with a picture of 1 MiB, relayed', await costOf(stage, ways, load), 'relay', 2));
    rows.push({
      figure: 'memory of an idle API',
      sluice: `${mebibytes(idleBytes)} MiB`,
      reached: `${mebibytes(idleBytes)} MiB`,
      goal: `≤ ${MOST_IDLE_MIB} MB`,
      ok: idleBytes <= MOST_IDLE_MIB * 1_000_000,
      raw: { idleBytes },
    });
    return rows;
  } finally {
    await text.close();
  }
}

function waysOf({ api, peers }: TextStage): Way[] {
  const own = peerOf(api);
  const direct = `${VENDOR_PATHS.whole}/chat/completions`;
  const { proxy, fastify, nginx } = peers;
  return [
    { name: 'proxy', peer: proxy, at: direct, model: 'vendor-model' },
    { name: 'relay', peer: own, at: '/v1/chat/completions', model: modelOf('whole', 'chat') },
    { name: 'translate', peer: own, at: '/v1/chat/completions', model: modelOf('whole', 'messages') },
    { name: 'fastify', peer: fastify, at: direct, model: 'vendor-model' },
    ...(nginx ? [{ name: 'nginx' as const, peer: nginx, at: direct, model: 'vendor-model' }] : []),
  ];
}

interface Load {
  concurrency: number;
  count: number;
  body: (model: string) => object;
}

type Costs = Partial<Record<Way['name'], number>>[];

/** CPU per request of each way in each round, microseconds. The first round warms up and is not told. */
async function costOf({ options: { rounds } }: Stage, ways: Way[], { concurrency, count, body }: Load): Promise<Costs> {
  const client = new Agent({ connections: concurrency, pipelining: 1 });
  const runs: Costs = [];
  for (let round = 0; round <= rounds; round++) {
    const run: Costs[number] = {};
    for (const { name, peer, at, model } of ways) {
      const sent = JSON.stringify(body(model));
      const before = await peer.cpuUs();
      await eachConcurrently(count, concurrency, () => post(client, peer.url + at, sent));
      run[name] = ((await peer.cpuUs()) - before) / count;
    }
    if (round > 0) runs.push(run);
  }
  await client.close();
  return runs;
}

async function post(client: Agent, url: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' };
  const answer = await request(url, { dispatcher: client, method: 'POST', headers, body });
  const bytes = await answer.body.arrayBuffer();
  if (answer.statusCode !== 200)
    throw new Error(`${url} answered ${answer.statusCode}: ${Buffer.from(bytes).toString()}`);
}

function row(figure: string, costs: Costs, own: 'relay' | 'translate', goal: number): Row {
  const ratio = median(costs.map((run) => (run[own] ?? 0) / (run.proxy ?? 1)));
  const cost = (name: Way['name']) => microseconds(median(costs.map((run) => run[name] ?? 0)));
  return {
    figure,
    sluice: cost(own),
    proxy: cost('proxy'),
    fastify: cost('fastify'),
    ...(costs[0]?.nginx !== undefined && { nginx: cost('nginx') }),
    reached: times(ratio),
    goal: `≤ ${goal}×`,
    ok: ratio <= goal,
    raw: { costs },
  };
}

const INSTRUCTIONS = `You are a helpful assistant. ${PROMPT}. `.repeat(6);

/** A request of about 1.3 kB, as a chat client sends it. */
function talk(model: string): object {
  return {
    model,
    messages: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: PROMPT },
      { role: 'assistant', content: PROMPT },
      { role: 'user', content: `${PROMPT} 你好` },
    ],
    temperature: 0.7,
    max_tokens: 500,
  };
}

function look(model: string, picture: string): object {
  const url = `data:image/png;base64,${picture}`;
  return {
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: PROMPT },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  };
}
