import { parseArgs } from 'node:util';

/** The available figures, in the order of the table. */
export const FIGURES = [
  'cold-start',
  'warm-up',
  'after-silence',
  'text-request',
  'text-stream',
  'tracing-cost',
  'hot-path',
  'floor',
  'ledger-cost',
  'console-cost',
  'pools-cost',
  'large-body',
  'poll-lateness',
  'step-cost',
  'create-cost',
  'pick-up',
  'download-cost',
  'idle-streams',
  'append-sync',
  'ledger-drain',
  'ledger-report',
  'beside-batch',
] as const;
export type FigureName = (typeof FIGURES)[number];

/** The figures of a run without `--only`. All others take too long, or belong to the pages of their features. */
const PUBLISHED: ReadonlySet<FigureName> = new Set([
  'cold-start',
  'warm-up',
  'after-silence',
  'floor',
  'step-cost',
  'pick-up',
  'download-cost',
  'idle-streams',
]);

export interface BenchOptions {
  /** Uses small loads and one round. A quick run checks that everything works, not how fast it is. */
  quick: boolean;
  rounds: number;
  /** Whether to run the mixed load. */
  mixed: boolean;
  only: readonly FigureName[];
  /** Prints JSON instead of the tables. */
  json: boolean;
  /** Writes the results to docs/operate/performance.md. */
  write: boolean;
  /** Folder for the CPU profiles of Sluice's processes. */
  profileDir: string | undefined;
}

/** @throws Error that describes the invalid argument */
export function parseBenchOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      mixed: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 20) throw new Error('--rounds must be a number from 1 to 20');
  const only = values.only.flatMap((list) => list.split(','));
  const unknown = only.find((name) => !FIGURES.some((figure) => figure === name));
  if (unknown !== undefined) throw new Error(`--only must be one of ${FIGURES.join(', ')}; got ${unknown}`);
  const isAll = !values.mixed && only.length === 0;
  return {
    quick: values.quick,
    rounds,
    mixed: values.mixed || isAll,
    only: FIGURES.filter((name) => (isAll ? PUBLISHED.has(name) : only.includes(name))),
    json: values.json,
    write: values.write,
    profileDir: values.profile,
  };
}
