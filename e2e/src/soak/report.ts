import type { Load } from './load.ts';
import type { FullSample } from './sampled-program.ts';
import { judgeSeries, type Tolerance } from './decision.ts';

/** Samples in order of time, keyed by process. */
export type Recording = Map<string, ({ at: number } & FullSample)[]>;

export interface SoakResult {
  recording: Recording;
  load: Load;
  /** Names of processes that exited unexpectedly. */
  ended: readonly string[];
  minutes: number;
  /** `rate` is the number of started operations per second, `capacity` the maximum. */
  rate: number;
  capacity: number;
}

const MIB = 1024 * 1024;
/** Maximum fraction of failed operations. */
const MAX_FAILURES = 0.001;

interface Measured extends Tolerance {
  name: string;
  /** Whether growth of this value fails the soak. */
  isChecked: boolean;
  of: (sample: FullSample) => number;
}

const INFORMATIONAL = { share: 0.05, absolute: 10, isChecked: false } as const;

const MEASURED: readonly Measured[] = [
  {
    name: 'RSS, MiB',
    of: ({ rssBytes }) => rssBytes / MIB,
    share: 0.05,
    absolute: 10,
    isChecked: true,
  },
  {
    name: 'live heap, MiB',
    of: ({ heapBytes }) => heapBytes / MIB,
    share: 0.05,
    absolute: 5,
    isChecked: true,
  },
  {
    name: 'descriptors',
    of: ({ descriptors }) => descriptors,
    share: 0.05,
    absolute: 20,
    isChecked: true,
  },
  // These parts of the RSS help to explain its growth.
  { name: 'total heap, MiB', of: ({ heapTotalBytes }) => heapTotalBytes / MIB, ...INFORMATIONAL },
  { name: 'external, MiB', of: ({ externalBytes }) => externalBytes / MIB, ...INFORMATIONAL },
  // Informational, because it also depends on other load on the machine.
  {
    name: 'loop delay p99, ms',
    of: ({ loopDelayMs }) => loopDelayMs,
    ...INFORMATIONAL,
  },
];

/** @param webhooks number of received webhook deliveries */
export function reportOf(result: SoakResult, webhooks: number): { text: string; isPassed: boolean } {
  const { recording, load, ended, minutes, rate, capacity } = result;
  let isPassed = ended.length === 0;
  const rows = [...recording].flatMap(([process, samples]) =>
    MEASURED.map(({ name, of, isChecked, ...tolerance }) => {
      const series = samples.map((sample) => ({ at: sample.at, value: of(sample) }));
      const { first, last, slopePerHour, isFlat } = judgeSeries(series, tolerance);
      isPassed &&= isFlat || !isChecked;
      const decision = isChecked ? (isFlat ? 'flat' : '**grows**') : 'informational';
      const slope = `${slopePerHour > 0 ? '+' : ''}${slopePerHour.toFixed(1)}`;
      return [process, name, first.toFixed(1), last.toFixed(1), slope, decision];
    }),
  );
  const tallies = [...load.tallies];
  const done = tallies.reduce((sum, [, tally]) => sum + tally.done, 0);
  const failed = tallies.reduce((sum, [, tally]) => sum + tally.failed, 0);
  isPassed &&= failed <= (done + failed) * MAX_FAILURES;
  const lines = [
    `${minutes} min at ${rate.toFixed(0)} operations a second (maximum: ${capacity.toFixed(0)}): ${done} done, ${failed} failed, ` +
      `${load.skipped} skipped, ${webhooks} webhooks received.`,
    ...ended.map((name) => `${name} ended unexpectedly.`),
    '',
    ...tableOf(['Process', 'Metric', 'After the warm-up', 'In the last tenth', 'Slope per hour', 'Result'], rows),
    '',
    ...tableOf(
      ['Operation', 'Done', 'Failed', 'First failure'],
      tallies.map(([name, { done: one, failed: bad, firstFailure = '' }]) => [
        name,
        String(one),
        String(bad),
        firstFailure,
      ]),
    ),
    '',
  ];
  return { text: `${lines.join('\n')}\n`, isPassed };
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
