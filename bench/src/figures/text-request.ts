import { Agent, request } from 'undici';
import { chatBody } from '../load/bodies.ts';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import type { Row } from '../measure/report.ts';
import { BENCH_KEY, type Stage } from '../measure/stage.ts';
import { costRow, type Costs, costsOf, setTextStage, type Way, waysTo } from './text-stage.ts';

/** Sequential requests are measured last, after V8 has compiled the code. */
const CONCURRENCIES = [32, 128, 1];

/** Measures the CPU time of buffered chat responses, relayed and translated, when all servers are warm. */
export async function measureTextRequests(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const text = await setTextStage(stage);
  try {
    const rows: Row[] = [];
    for (const concurrency of CONCURRENCIES) {
      const count = (concurrency === 1 ? 2_000 : 8_000) / (quick ? 10 : 1);
      const costs = await costOf(rounds, waysTo('buffered', text), { concurrency, count });
      rows.push(
        costRow(`CPU per chat request relayed, ${concurrency} at once`, costs, 'relay', 1.2),
        costRow(`– translated, chat to messages`, costs, 'translate', 1.4),
      );
    }
    return rows;
  } finally {
    await text.close();
  }
}

interface Load {
  concurrency: number;
  count: number;
}

async function costOf(rounds: number, ways: Way[], { concurrency, count }: Load): Promise<Costs> {
  const client = new Agent({ connections: concurrency, pipelining: 1 });
  const costs = await costsOf(rounds, ways, count, async ({ peer, at, model }) => {
    const sent = JSON.stringify(chatBody(model));
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
