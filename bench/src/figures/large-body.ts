import { EXPENSIVE_JSON } from '@sluice/testkit';
import { Agent, request } from 'undici';
import { mebibytes, type Row } from '../measure/report.ts';
import { BENCH_KEY, type Stage } from '../measure/stage.ts';
import { modelOf } from '../contenders/text-models.ts';
import { setTextStage } from './text-stage.ts';

const BODY_BYTES = 30 * 1024 * 1024;
const MAX_DELAY_MS = 100;
const MAX_RISE_BYTES = 400 * 1024 * 1024;

interface Run {
  shape: string;
  status: number;
  delayMs: number;
  riseBytes: number;
}

/** Measures how long a body of 30 MB blocks the API from serving other requests, for several body structures. */
export async function measureLargeBodies(stage: Stage): Promise<Row[]> {
  const text = await setTextStage(stage);
  const client = new Agent({ connections: 1 });
  const runs: Run[] = [];
  try {
    for (const wire of ['chat', 'messages'] as const) {
      const way = wire === 'chat' ? 'relayed' : 'translated';
      for (const [shape, valueOf] of Object.entries(EXPENSIVE_JSON)) {
        const content = valueOf(BODY_BYTES);
        const body = Buffer.from(
          `{"model":"${modelOf('buffered', wire)}","messages":[{"role":"user","content":${content}}]}`,
        );
        for (let round = 0; round < stage.options.rounds; round++) {
          const before = (await text.api.usage()).rssBytes;
          await text.api.call('watch-delays');
          const status = await post(client, `${text.api.url}/v1/chat/completions`, body);
          const delayMs = await text.api.call<number>('longest-delay');
          const riseBytes = (await text.api.usage()).rssBytes - before;
          runs.push({ shape: `${shape}, ${way}`, status, delayMs, riseBytes });
        }
      }
    }
  } finally {
    await client.close();
    await text.close();
  }
  const slowest = runs.reduce((worst, run) => (run.delayMs > worst.delayMs ? run : worst));
  const largest = runs.reduce((worst, run) => (run.riseBytes > worst.riseBytes ? run : worst));
  return [
    {
      figure: `longest wait of other requests while a body of 30 MB is read, of ${Object.keys(EXPENSIVE_JSON).length} structures`,
      sluice: `${slowest.delayMs.toFixed(0)} ms (${slowest.shape})`,
      reached: `${slowest.delayMs.toFixed(0)} ms`,
      goal: `≤ ${MAX_DELAY_MS} ms`,
      ok: slowest.delayMs <= MAX_DELAY_MS,
      raw: { runs },
    },
    {
      figure: '– growth of resident memory',
      sluice: `${mebibytes(largest.riseBytes)} MiB (${largest.shape})`,
      reached: `${mebibytes(largest.riseBytes)} MiB`,
      goal: `≤ ${mebibytes(MAX_RISE_BYTES)} MiB`,
      ok: largest.riseBytes <= MAX_RISE_BYTES,
      raw: {},
    },
  ];
}

async function post(client: Agent, url: string, body: Buffer): Promise<number> {
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' };
  const response = await request(url, { dispatcher: client, method: 'POST', headers, body });
  await response.body.dump();
  return response.statusCode;
}
