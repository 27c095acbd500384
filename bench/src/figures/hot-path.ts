import { directPath } from './text-stage.ts';
import { modelOf, textModels, type Wire } from '../contenders/text-models.ts';
import { chatBody } from '../load/bodies.ts';
import type { Burst, BurstResult } from '../load/load-generator.ts';
import { microseconds, type Row } from '../measure/report.ts';
import { BENCH_KEY, type Stage } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';
import type { CpuProfile } from '../subjects/usage-probe.ts';
import { type Part, PARTS, timeByPart } from './hot-path-stages.ts';

const OTHER_THREADS = 'other threads of V8 (collection, compilation)';

/** CPU microseconds per request. */
interface Cost {
  total: number;
  parts: Map<Part | typeof OTHER_THREADS, number>;
}

/**
 * Measures the CPU time of each stage of a chat request, relayed and translated, of Sluice and of bare Fastify. V8's
 * profiler samples the stack of the main thread. Its samples are scaled to the cost without the profiler.
 */
export async function measureHotPath(stage: Stage): Promise<Row[]> {
  const vendor = await stage.start('text-vendor');
  await stage.configureText(textModels(vendor.url));
  const sluice = (model: Wire) =>
    measureCost(stage, () => stage.start('api-source'), '/v1/chat/completions', modelOf('buffered', model));
  const fastify = (path: string) =>
    measureCost(stage, () => stage.start('bare-fastify', vendor.url), path, 'vendor-model');
  const chatPath = directPath('buffered');
  try {
    return [
      ...rowsOf('relayed', await sluice('chat'), await fastify(chatPath)),
      ...rowsOf('translated', await sluice('messages'), await fastify(`/translate${chatPath}`)),
    ];
  } finally {
    await vendor.stop();
  }
}

async function measureCost(stage: Stage, start: () => Promise<Subject>, path: string, model: string): Promise<Cost> {
  const { quick, rounds } = stage.options;
  const count = quick ? 2_000 : 8_000 * rounds;
  const [gateway, load] = [await start(), await stage.start('load-generator')];
  const burst = {
    url: gateway.url + path,
    headers: { authorization: `Bearer ${BENCH_KEY}` },
    body: JSON.stringify(chatBody(model)),
    concurrency: 32,
  };
  const run = async (requests: number): Promise<void> => {
    const { errors } = await load.call<BurstResult>('run', { ...burst, count: requests } satisfies Burst);
    if (errors > 0) throw new Error(`${errors} requests failed`);
  };
  await run(quick ? 4_000 : 30_000);
  const before = await gateway.usage();
  await run(count);
  const after = await gateway.usage();
  await gateway.call('start-profile');
  await run(count);
  const times = timeByPart(await gateway.call<CpuProfile>('stop-profile'));
  await Promise.all([gateway.stop(), load.stop()]);

  const total = (after.cpuUs - before.cpuUs) / count;
  const mainThread = (after.mainThreadUs - before.mainThreadUs) / count;
  const sampled = [...times.values()].reduce((sum, us) => sum + us, 0);
  const parts: Cost['parts'] = new Map(PARTS.map((part) => [part, ((times.get(part) ?? 0) / sampled) * mainThread]));
  return { total, parts: parts.set(OTHER_THREADS, total - mainThread) };
}

function rowsOf(kind: string, sluice: Cost, fastify: Cost): Row[] {
  const row = (figure: string, own: number, peer: number): Row => ({
    figure,
    sluice: microseconds(own),
    fastify: microseconds(peer),
    reached: `${((own / sluice.total) * 100).toFixed(0)} %`,
    raw: {},
  });
  return [
    row(`CPU per ${kind} chat request, 32 at once`, sluice.total, fastify.total),
    ...[...sluice.parts].map(([part, us]) => row(`– ${part}`, us, fastify.parts.get(part) ?? 0)),
  ];
}
