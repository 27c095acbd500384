import type { ContenderName } from '../contenders/launches.ts';
import { markdownTable, times } from '../measure/report.ts';
import { median } from '../measure/statistics.ts';
import type { Measurement, MixedResult } from './measure-mixed.ts';
import { type Goal, type Scenario, SCENARIOS } from './scenarios.ts';

const TITLES: Record<ContenderName, string> = {
  nginx: 'nginx',
  node: 'bare Node',
  fastify: 'bare Fastify',
  sluice: '**Sluice**',
  'sluice-limits': '**Sluice, limits**',
  portkey: 'Portkey',
};
const MAX_PEAK_MB = 220;

/** Renders one row per scenario, and one for memory. A row has a line for each of its goals. */
export function renderMixedTable(result: MixedResult): string {
  const header = ['CPU per unit', ...result.contenders.map((name) => TITLES[name]), 'reached', 'goal', ''];
  return markdownTable([header, ...SCENARIOS.map((scenario) => rowOf(result, scenario)), memoryRow(result)]);
}

/** Returns whether all responses were complete and correct. */
export function isValid({ measurements }: MixedResult): boolean {
  return measurements.every(({ errors }) => errors === 0);
}

function rowOf(result: MixedResult, scenario: Scenario): string[] {
  const runs = result.measurements.filter((run) => run.scenario === scenario.name);
  const cells = result.contenders.map((name) =>
    cell(
      runs.filter(({ contender }) => contender === name),
      scenario.unit,
    ),
  );
  const checks = scenario.goals.map((goal) => check(goal, runs));
  return [
    `${scenario.title}, ${scenario.unit === 'request' ? 'µs' : 'ms'}`,
    ...cells,
    checks.map(({ reached }) => reached).join('; '),
    distinct(checks.map(({ goal }) => goal)),
    distinct(checks.map(({ ok }) => (ok ? 'yes' : '**no**'))),
  ];
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].join('; ');
}

function cell(runs: readonly Measurement[], unit: Scenario['unit']): string {
  if (runs.length === 0) return '–';
  const errors = runs.reduce((sum, run) => sum + run.errors, 0);
  if (errors > 0) return `invalid: ${errors} errors`;
  const us = median(runs.map(({ cpuUs }) => cpuUs));
  return unit === 'request' ? us.toFixed(0) : (us / 1_000).toFixed(1);
}

/** Compares the bursts of each round. The result is the median of the rounds. */
function check(goal: Goal, runs: readonly Measurement[]): { reached: string; goal: string; ok: boolean } {
  const costs = (name: ContenderName) => runs.filter(({ contender }) => contender === name);
  const peers = costs(goal.to);
  const pairs = costs(goal.of).flatMap((own) => {
    const peer = peers.find(({ round }) => round === own.round);
    return peer ? [{ own: own.cpuUs, peer: peer.cpuUs }] : [];
  });
  const valid = pairs.length > 0 && [...costs(goal.of), ...peers].every(({ errors }) => errors === 0);
  if ('maxAddedUs' in goal) {
    const added = median(pairs.map(({ own, peer }) => own - peer));
    const sign = added < 0 ? '−' : '+';
    return {
      reached: `limits ${sign}${Math.abs(added).toFixed(0)} µs`,
      goal: `≤ +${goal.maxAddedUs} µs`,
      ok: valid && added <= goal.maxAddedUs,
    };
  }
  const ratio = median(pairs.map(({ own, peer }) => own / peer));
  return {
    reached: `${goal.of === 'sluice' ? '' : 'limits '}${times(ratio)}`,
    goal: `≤ ${goal.maxRatio}× ${TITLES[goal.to]}`,
    ok: valid && ratio <= goal.maxRatio,
  };
}

function memoryRow({ contenders, peakBytes }: MixedResult): string[] {
  const megabytes = (name: ContenderName) => (peakBytes[name] ?? 0) / 1e6;
  const own = Math.max(megabytes('sluice'), megabytes('sluice-limits'));
  return [
    'peak resident memory, MB',
    ...contenders.map((name) => megabytes(name).toFixed(0)),
    `${own.toFixed(0)} MB`,
    `≤ ${MAX_PEAK_MB} MB`,
    own <= MAX_PEAK_MB ? 'yes' : '**no**',
  ];
}
