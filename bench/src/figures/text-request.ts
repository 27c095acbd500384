import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import { mebibytes, type Row } from '../measure/report.ts';
import { BENCH_KEY, PROMPT, type Stage } from '../measure/stage.ts';
import { costRow, type Costs, costsOf, setTextStage, type Way, waysTo } from './text-stage.ts';

/** Sequential requests are measured last, after V8 has compiled the code. */
const CONCURRENCIES = [32, 128, 1];
const IDLE_MS = 3_000;
const MAX_IDLE_MIB = 130;

/**
 * Measures the CPU time of buffered chat responses, relayed and translated, compared with the peers. Also measures the
 * memory of an idle API.
 */
export async function measureTextRequests(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const text = await setTextStage(stage);
  try {
    await sleep(IDLE_MS);
    const idleBytes = (await text.api.usage()).rssBytes;
    const rows: Row[] = [];
    for (const concurrency of CONCURRENCIES) {
      const count = (concurrency === 1 ? 2_000 : 8_000) / (quick ? 10 : 1);
      const costs = await costOf(rounds, waysTo('buffered', text), { concurrency, count, body: chatBody });
      rows.push(
        costRow(`CPU per chat request relayed, ${concurrency} at once`, costs, 'relay', 1.2),
        costRow(`– translated, chat to messages`, costs, 'translate', 1.4),
      );
    }
    const image = 'a'.repeat(1024 * 1024);
    const ways = waysTo('buffered', text).filter(({ name }) => name !== 'translate');
    const load = { concurrency: 8, count: quick ? 40 : 400, body: (model: string) => imageBody(model, image) };
    rows.push(costRow('CPU per request with an image of 1 MiB, relayed', await costOf(rounds, ways, load), 'relay', 2));
    rows.push({
      figure: 'memory of an idle API',
      sluice: `${mebibytes(idleBytes)} MiB`,
      reached: `${mebibytes(idleBytes)} MiB`,
      goal: `≤ ${MAX_IDLE_MIB} MB`,
      ok: idleBytes <= MAX_IDLE_MIB * 1_000_000,
      raw: { idleBytes },
    });
    return rows;
  } finally {
    await text.close();
  }
}

interface Load {
  concurrency: number;
  count: number;
  body: (model: string) => object;
}

async function costOf(rounds: number, ways: Way[], { concurrency, count, body }: Load): Promise<Costs> {
  const client = new Agent({ connections: concurrency, pipelining: 1 });
  const costs = await costsOf(rounds, ways, count, async ({ peer, at, model }) => {
    const sent = JSON.stringify(body(model));
    await eachConcurrently(count, concurrency, () => post(client, peer.url + at, sent));
  });
  await client.close();
  return costs;
}

async function post(client: Agent, url: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' };
  const response = await request(url, { dispatcher: client, method: 'POST', headers, body });
  const bytes = await response.body.arrayBuffer();
  if (response.statusCode !== 200)
    throw new Error(`${url} returned ${response.statusCode}: ${Buffer.from(bytes).toString()}`);
}

const INSTRUCTIONS = `You are a helpful assistant. ${PROMPT}. `.repeat(6);

/** A request of about 1.3 kB, similar to the requests of chat clients. */
function chatBody(model: string): object {
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

function imageBody(model: string, image: string): object {
  const url = `data:image/png;base64,${image}`;
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
