import { modelOf, textModels } from '../contenders/text-models.ts';
import { chatBody } from '../load/bodies.ts';
import type { Burst, BurstResult } from '../load/load-generator.ts';
import { microseconds, type Row, times } from '../measure/report.ts';
import { BENCH_KEY, type Stage } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';
import { median } from '../measure/statistics.ts';
import { GATEWAY_PARTS } from '../subjects/gateway-parts.ts';
import { directPath } from './text-stage.ts';

const CONCURRENCY = 32;
/** Short bursts, so that all processes run under the same conditions. */
const BURSTS_PER_ROUND = 4;

/** The cost of each burst, in microseconds per request. */
interface Measured {
  name: string;
  subject: Subject;
  path: string;
  model: string;
  costs: number[];
}

/**
 * Measures the least that a relayed chat can cost with the libraries that Sluice uses. Each process has one part more
 * than the one before, see `growing-gateway.ts`.
 */
export async function measureFloor(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const vendor = await stage.start('text-vendor');
  await stage.configureText(textModels(vendor.url));
  const measured: Measured[] = [];
  const add = (name: string, subject: Subject, path: string, model: string) =>
    measured.push({ name, subject, path, model, costs: [] });
  const chat = '/v1/chat/completions';
  for (const [index, part] of GATEWAY_PARTS.entries()) {
    const env = { BENCH_PARTS: String(index + 1), BENCH_KEY };
    add(part, await stage.start('growing-gateway', vendor.url, env), chat, modelOf('buffered', 'chat'));
  }
  add('sluice', await stage.start('api'), chat, modelOf('buffered', 'chat'));
  add('fastify', await stage.start('bare-fastify', vendor.url), directPath('buffered'), 'vendor-model');
  const load = await stage.start('load-generator');

  const burst = async (one: Measured, count: number): Promise<number> => {
    const request: Burst = {
      url: one.subject.url + one.path,
      headers: { authorization: `Bearer ${BENCH_KEY}` },
      body: JSON.stringify(chatBody(one.model)),
      concurrency: CONCURRENCY,
      count,
    };
    const before = await one.subject.usage();
    const { errors } = await load.call<BurstResult>('run', request);
    if (errors > 0) throw new Error(`${errors} requests to ${one.name} failed`);
    return ((await one.subject.usage()).cpuUs - before.cpuUs) / count;
  };
  const count = quick ? 1_000 : 2_000;
  for (let warmUp = 0; warmUp < (quick ? 4 : 6); warmUp++) for (const one of measured) await burst(one, count);
  for (let round = 0; round < rounds * BURSTS_PER_ROUND; round++)
    for (const one of measured) one.costs.push(await burst(one, count));
  await Promise.all([...measured.map(({ subject }) => subject.stop()), load.stop(), vendor.stop()]);
  return rowsOf(measured);
}

function rowsOf(measured: readonly Measured[]): Row[] {
  const costOf = (name: string) => median(measured.find((one) => one.name === name)?.costs ?? []);
  const fastify = costOf('fastify');
  const parts = GATEWAY_PARTS.map((part, index): Row => {
    const added = costOf(part) - costOf(GATEWAY_PARTS[index - 1] ?? '');
    const figure = index === 0 ? `least CPU per relayed chat: ${part} alone, without an upstream` : `– with: ${part}`;
    return {
      figure: index === 0 ? figure : `${figure} (+${microseconds(added)})`,
      sluice: microseconds(costOf(part)),
      fastify: '–',
      reached: times(costOf(part) / fastify),
      raw: {},
    };
  });
  const sluice: Row = {
    figure: `– Sluice, without limits, in the same run`,
    sluice: microseconds(costOf('sluice')),
    fastify: microseconds(fastify),
    reached: times(costOf('sluice') / fastify),
    raw: { measured: measured.map(({ name, costs }) => ({ name, costs })) },
  };
  return [...parts, sluice];
}
