import { setTimeout as sleep } from 'node:timers/promises';
import { chatCostUs } from '../contenders/steady-load.ts';
import { setContenderStage } from '../contenders/contender-stage.ts';
import type { Contender } from '../contenders/start-contender.ts';
import { microseconds, type Row, times } from '../measure/report.ts';
import type { Stage } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';

const MAX_RATIO = 1.25;
const NAMES = ['fastify', 'sluice'] as const;

/** Measures the cost of the first burst of requests after a silence, compared with the burst before the silence. */
export async function measureAfterSilence(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const [silenceMs, burstMs, warmUp] = quick ? [1_000, 300, 3_000] : [15_000, 3_000, 50_000];
  const runs: Record<(typeof NAMES)[number], { steadyUs: number; firstUs: number }[]> = { fastify: [], sluice: [] };
  const contenders = await setContenderStage(stage);
  try {
    const running: [(typeof NAMES)[number], Contender][] = [];
    for (const name of NAMES) {
      const contender = await contenders.start(name);
      if (!contender) throw new Error(`${name} is not installed`);
      await chatCostUs(contenders, contender, { count: warmUp });
      running.push([name, contender]);
    }
    const burst = (contender: Contender) => chatCostUs(contenders, contender, { ms: burstMs });
    for (let round = 0; round < rounds; round++) {
      const steadyUs = new Map<Contender, number>();
      for (const [, contender] of running) {
        // The second burst in a row is the steady state.
        await burst(contender);
        steadyUs.set(contender, await burst(contender));
      }
      await sleep(silenceMs);
      for (const [name, contender] of running)
        runs[name].push({ steadyUs: steadyUs.get(contender) ?? 0, firstUs: await burst(contender) });
    }
  } finally {
    await contenders.close();
  }
  const show = (name: (typeof NAMES)[number]) => {
    const middle = (field: 'steadyUs' | 'firstUs') => microseconds(median(runs[name].map((run) => run[field])));
    return `${middle('steadyUs')} → ${middle('firstUs')}`;
  };
  const ratio = median(runs.sluice.map(({ steadyUs, firstUs }) => firstUs / steadyUs));
  return [
    {
      figure: `CPU per chat request, steady → first burst of ${burstMs / 1_000} s after ${silenceMs / 1_000} s of silence`,
      sluice: show('sluice'),
      fastify: show('fastify'),
      reached: times(ratio),
      goal: `≤ ${MAX_RATIO}×`,
      ok: ratio <= MAX_RATIO,
      raw: { runs },
    },
  ];
}
