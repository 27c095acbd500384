import { setTimeout as sleep } from 'node:timers/promises';
import { type ContenderStage, setContenderStage } from '../contenders/contender-stage.ts';
import { type ContenderName, LAUNCHES } from '../contenders/launches.ts';
import type { Contender } from '../contenders/start-contender.ts';
import { canPin } from '../measure/pin.ts';
import type { Stage } from '../measure/stage.ts';
import { burstOf, type BurstLength, type Scenario, SCENARIOS } from './scenarios.ts';

/** One burst of one scenario to one contender. */
export interface Measurement {
  round: number;
  scenario: string;
  contender: ContenderName;
  /** CPU microseconds of the contender per request, or per 1,000 events. */
  cpuUs: number;
  errors: number;
  /** Shares of a core that the contender, and the vendor with the load generator, used. */
  busy: number;
  supportBusy: number;
  p50Ms: number;
  p99Ms: number;
}

export interface MixedResult {
  contenders: ContenderName[];
  measurements: Measurement[];
  /** Peak of resident memory during the complete run, in bytes. */
  peakBytes: Partial<Record<ContenderName, number>>;
}

const SETTLE_MS = 200;

/**
 * Measures all scenarios in rounds. In a round, the contenders take turns in each scenario, so each of them is idle
 * between its bursts, as in practice. The order alternates between the rounds.
 */
export async function measureMixed(stage: Stage, logLine: (line: string) => void): Promise<MixedResult> {
  const { quick, rounds } = stage.options;
  if (!canPin) logLine('processes are not pinned to cores: taskset or a second core is missing');
  const contenders = await setContenderStage(stage);
  try {
    const running = await startAll(contenders, logLine);
    const measurements: Measurement[] = [];
    // Round 0 is a warm-up and is discarded.
    for (let round = quick ? 1 : 0; round <= rounds; round++) {
      const order = round % 2 === 0 ? running : running.toReversed();
      for (const scenario of SCENARIOS) {
        for (const contender of order) {
          const measured = await measure(contenders, {
            scenario,
            contender,
            length: quick ? 'quick' : round === 0 ? 'warm-up' : 'full',
          });
          if (!measured) continue;
          logLine(describe(round, measured));
          if (round > 0) measurements.push({ round, ...measured });
        }
      }
    }
    const peaks = running.map(async (one) => [one.name, (await one.usage()).peakBytes] as const);
    return {
      contenders: running.map(({ name }) => name),
      measurements,
      peakBytes: Object.fromEntries(await Promise.all(peaks)),
    };
  } finally {
    await contenders.close();
  }
}

async function startAll(stage: ContenderStage, logLine: (line: string) => void): Promise<Contender[]> {
  const running: Contender[] = [];
  // The cast is safe because these are the table's own keys.
  for (const name of Object.keys(LAUNCHES) as ContenderName[]) {
    const contender = await stage.start(name);
    if (contender) running.push(contender);
    else logLine(`${name} is skipped because it is not installed`);
  }
  return running;
}

interface Turn {
  scenario: Scenario;
  contender: Contender;
  length: BurstLength;
}

async function measure(
  stage: ContenderStage,
  { scenario, contender, length }: Turn,
): Promise<Omit<Measurement, 'round'> | undefined> {
  const load = burstOf(scenario, contender, length);
  if (!load) return undefined;
  await sleep(SETTLE_MS);
  const read = async () => ({ own: (await contender.usage()).cpuUs, support: await stage.supportCpuUs() });
  const before = await read();
  const { completed, errors, ms, p50Ms, p99Ms } = await stage.run(load.burst);
  const after = await read();
  const cpuUs = after.own - before.own;
  return {
    scenario: scenario.name,
    contender: contender.name,
    cpuUs: cpuUs / Math.max(1, completed * load.unitsPerResponse),
    errors,
    busy: cpuUs / 1_000 / ms,
    supportBusy: (after.support - before.support) / 1_000 / ms,
    p50Ms,
    p99Ms,
  };
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

function describe(
  round: number,
  { scenario, contender, cpuUs, errors, busy, supportBusy }: Omit<Measurement, 'round'>,
) {
  const cores = `core ${percent(busy)}, support ${percent(supportBusy)}`;
  return `round ${round} ${scenario} ${contender}: ${cpuUs.toFixed(1)} µs, ${cores}, ${errors} errors`;
}
