import { chatCostUs } from '../contenders/steady-load.ts';
import { type ContenderStage, setContenderStage } from '../contenders/contender-stage.ts';
import { microseconds, type Row } from '../measure/report.ts';
import type { Stage } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';

/** Number of requests for which the cost is measured. */
const STEP = 1_000;
const STEADY_STEPS = 20;
const TOLERANCE = 1.1;
const MAX_REQUESTS = 5_000;
const NAMES = ['fastify', 'sluice'] as const;

interface WarmUp {
  /** Number of requests until the cost stays near the steady state. */
  requests: number;
  firstUs: number;
  steadyUs: number;
}

/** Measures how many requests a new API process serves before its cost is within 10 % of the steady state. */
export async function measureWarmUp(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const total = quick ? 10_000 : 60_000;
  const runs: Record<(typeof NAMES)[number], WarmUp[]> = { fastify: [], sluice: [] };
  const contenders = await setContenderStage(stage);
  try {
    for (let round = 0; round < rounds; round++)
      for (const name of NAMES) runs[name].push(await warmUp(contenders, name, total));
  } finally {
    await contenders.close();
  }
  const show = (name: (typeof NAMES)[number]) => {
    const middle = (field: keyof WarmUp) => median(runs[name].map((run) => run[field]));
    return `${middle('requests')} (${microseconds(middle('firstUs'))} → ${microseconds(middle('steadyUs'))})`;
  };
  const reached = median(runs.sluice.map(({ requests }) => requests));
  return [
    {
      figure: `requests until within 10 % of the steady state (CPU of the first ${STEP} → steady)`,
      sluice: show('sluice'),
      fastify: show('fastify'),
      reached: String(reached),
      goal: `≤ ${MAX_REQUESTS}`,
      ok: reached <= MAX_REQUESTS,
      raw: { runs },
    },
  ];
}

async function warmUp(stage: ContenderStage, name: (typeof NAMES)[number], total: number): Promise<WarmUp> {
  const contender = await stage.start(name);
  if (!contender) throw new Error(`${name} is not installed`);
  const costs: number[] = [];
  for (let sent = 0; sent < total; sent += STEP) costs.push(await chatCostUs(stage, contender, { count: STEP }));
  await contender.stop();
  const steadyUs = median(costs.slice(-STEADY_STEPS));
  // Three steps in a row hide single outliers, and the ticks of 10 ms in which Linux counts CPU time.
  const isSteady = (_: number, index: number) => median(costs.slice(index, index + 3)) <= TOLERANCE * steadyUs;
  return { requests: costs.findIndex(isSteady) * STEP, firstUs: costs[0] ?? 0, steadyUs };
}
