import { setTimeout as sleep } from 'node:timers/promises';
import { setContenderStage } from '../contenders/contender-stage.ts';
import { mebibytes, type Row } from '../measure/report.ts';
import type { Stage } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';

const IDLE_MS = 3_000;
const MAX_START_MS = 800;
const MAX_IDLE_MB = 90;
const NAMES = ['fastify', 'sluice'] as const;

/** Measures the time from the start of the API's process to its first chat response, and its memory when idle. */
export async function measureColdStart(stage: Stage): Promise<Row[]> {
  const runs: Record<(typeof NAMES)[number], { startMs: number; idleBytes: number }[]> = { fastify: [], sluice: [] };
  const contenders = await setContenderStage(stage);
  try {
    for (let round = 0; round < stage.options.rounds; round++) {
      for (const name of NAMES) {
        const contender = await contenders.start(name);
        if (!contender) throw new Error(`${name} is not installed`);
        await sleep(stage.options.quick ? IDLE_MS / 3 : IDLE_MS);
        runs[name].push({ startMs: contender.startMs, idleBytes: (await contender.usage()).rssBytes });
        await contender.stop();
      }
    }
  } finally {
    await contenders.close();
  }
  const middle = (name: (typeof NAMES)[number], field: 'startMs' | 'idleBytes') =>
    median(runs[name].map((run) => run[field]));
  const startMs = middle('sluice', 'startMs');
  const idleBytes = middle('sluice', 'idleBytes');
  return [
    {
      figure: 'cold start of the API, to its first response to a chat request',
      sluice: `${startMs.toFixed(0)} ms`,
      fastify: `${middle('fastify', 'startMs').toFixed(0)} ms`,
      reached: `${startMs.toFixed(0)} ms`,
      goal: `≤ ${MAX_START_MS} ms`,
      ok: startMs <= MAX_START_MS,
      raw: { runs },
    },
    {
      figure: '– resident memory when idle, 3 s later',
      sluice: `${mebibytes(idleBytes)} MiB`,
      fastify: `${mebibytes(middle('fastify', 'idleBytes'))} MiB`,
      reached: `${(idleBytes / 1e6).toFixed(0)} MB`,
      goal: `≤ ${MAX_IDLE_MB} MB`,
      ok: idleBytes <= MAX_IDLE_MB * 1e6,
      raw: {},
    },
  ];
}
