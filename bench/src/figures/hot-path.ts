import { modelOf, textModels } from '../contenders/text-models.ts';
import { chatBody } from '../load/bodies.ts';
import type { Burst, BurstResult } from '../load/load-generator.ts';
import { microseconds, type Row } from '../measure/report.ts';
import { BENCH_KEY, type Stage } from '../measure/stage.ts';
import type { CpuProfile } from '../subjects/usage-probe.ts';
import { PARTS, timeByPart } from './hot-path-stages.ts';

/**
 * Measures the CPU time of each stage of a chat request, relayed and translated. V8's profiler samples the stack of the
 * main thread. Its samples are scaled to the cost without the profiler.
 */
export async function measureHotPath(stage: Stage): Promise<Row[]> {
  const vendor = await stage.start('text-vendor');
  await stage.configureText(textModels(vendor.url));
  try {
    const relayed = await measureStages(stage, 'relayed', modelOf('buffered', 'chat'));
    return [...relayed, ...(await measureStages(stage, 'translated', modelOf('buffered', 'messages')))];
  } finally {
    await vendor.stop();
  }
}

async function measureStages(stage: Stage, kind: string, model: string): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const count = quick ? 2_000 : 8_000 * rounds;
  const [api, load] = [await stage.start('api-source'), await stage.start('load-generator')];
  const burst = {
    url: `${api.url}/v1/chat/completions`,
    headers: { authorization: `Bearer ${BENCH_KEY}` },
    body: JSON.stringify(chatBody(model)),
    concurrency: 32,
  };
  const run = async (requests: number): Promise<void> => {
    const { errors } = await load.call<BurstResult>('run', { ...burst, count: requests } satisfies Burst);
    if (errors > 0) throw new Error(`${errors} requests failed`);
  };
  await run(quick ? 4_000 : 30_000);
  const before = await api.usage();
  await run(count);
  const after = await api.usage();
  await api.call('start-profile');
  await run(count);
  const times = timeByPart(await api.call<CpuProfile>('stop-profile'));
  await Promise.all([api.stop(), load.stop()]);

  const costUs = (after.cpuUs - before.cpuUs) / count;
  const mainUs = (after.mainThreadUs - before.mainThreadUs) / count;
  const sampledUs = [...times.values()].reduce((sum, us) => sum + us, 0);
  const row = (figure: string, us: number): Row => ({
    figure,
    sluice: microseconds(us),
    reached: `${((us / costUs) * 100).toFixed(0)} %`,
    raw: {},
  });
  return [
    { figure: `CPU per ${kind} chat request, 32 at once`, sluice: microseconds(costUs), reached: '100 %', raw: {} },
    ...PARTS.map((part) => row(`– ${part}`, ((times.get(part) ?? 0) / sampledUs) * mainUs)),
    row('– other threads of V8 (collection, compilation)', costUs - mainUs),
  ];
}
