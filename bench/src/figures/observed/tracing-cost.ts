import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { modelOf, textModels } from '../../contenders/text-models.ts';
import { chatBody } from '../../load/bodies.ts';
import { eachConcurrently } from '../../measure/each-concurrently.ts';
import type { Row } from '../../measure/report.ts';
import { BENCH_KEY, type Stage } from '../../measure/stage.ts';
import type { Subject } from '../../measure/start-subject.ts';
import { median } from '../../measure/statistics.ts';

const CONCURRENCY = 32;
/** V8 needs about 24,000 requests until the cost is steady. */
const WARM_UP_ROUNDS = 3;
/** Turns of each server in a round. */
const TURNS = 8;
/** The share of sampled requests, and the most that it may cost. */
const RATIOS = [
  { ratio: 0.1, maxPercent: 5 },
  { ratio: 0, maxPercent: undefined },
] as const;

/** Compares the CPU time of relayed chat requests with and without traces. */
export async function measureTracingCost(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const vendor = await stage.start('text-vendor');
  await stage.configureText(textModels(vendor.url));
  const collector = await startCollector();
  const off = await stage.start('api');
  const sampled = await Promise.all(
    RATIOS.map(({ ratio }) =>
      stage.start('api', undefined, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: String(ratio),
      }),
    ),
  );
  const client = new Agent({ connections: CONCURRENCY, pipelining: 1 });
  const count = quick ? 800 : 8_000;
  const costs: number[][] = [];
  try {
    const all = [off, ...sampled];
    const warmUp = quick ? 1 : WARM_UP_ROUNDS;
    for (let round = 0; round < warmUp + rounds; round++) {
      const cpuUs = new Map<Subject, number>(all.map((api) => [api, 0]));
      // Short turns in alternating order, because the machine's speed drifts.
      for (let turn = 0; turn < TURNS; turn++) {
        for (const api of turn % 2 === 0 ? all : all.toReversed()) {
          const used = await api.cpuDuring(() => load(client, api.url, count / TURNS));
          cpuUs.set(api, (cpuUs.get(api) ?? 0) + used);
        }
      }
      if (round >= warmUp) costs.push(all.map((api) => (cpuUs.get(api) ?? 0) / count));
    }
  } finally {
    await client.close();
    await Promise.all([off, ...sampled].map((api) => api.stop()));
    await vendor.stop();
    collector.close();
  }
  if (collector.bytes() === 0) throw new Error('no spans were exported');
  return RATIOS.map(({ ratio, maxPercent }, index) => rowOf(costs, index + 1, ratio, maxPercent));
}

function rowOf(costs: readonly number[][], at: number, ratio: number, maxPercent: number | undefined): Row {
  const costOf = (index: number) => median(costs.map((round) => round[index] ?? 0));
  const percent = 100 * (median(costs.map((round) => (round[at] ?? 0) / (round[0] ?? 1))) - 1);
  return {
    figure: `CPU per relayed chat request with ${100 * ratio} % of the traces sampled, and without traces`,
    sluice: `${costOf(at).toFixed(0)} µs, ${costOf(0).toFixed(0)} µs`,
    reached: `${percent >= 0 ? '+' : ''}${percent.toFixed(1)} %`,
    ...(maxPercent !== undefined && { goal: `≤ +${maxPercent} %`, ok: percent <= maxPercent }),
    raw: { costs },
  };
}

async function load(client: Agent, url: string, count: number): Promise<void> {
  const body = JSON.stringify(chatBody(modelOf('buffered', 'chat')));
  const headers = { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' };
  await eachConcurrently(count, CONCURRENCY, async () => {
    const sent = { dispatcher: client, method: 'POST', headers, body } as const;
    const response = await request(`${url}/v1/chat/completions`, sent);
    await response.body.arrayBuffer();
    if (response.statusCode !== 200) throw new Error(`the API returned ${response.statusCode}`);
  });
}

/** Accepts all spans without reading them. */
async function startCollector(): Promise<{ url: string; bytes: () => number; close: () => void }> {
  let bytes = 0;
  const server = createServer((received, response) => {
    received.on('data', (chunk: Buffer) => (bytes += chunk.length));
    received.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => bytes,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
