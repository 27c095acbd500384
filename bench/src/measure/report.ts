import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';

export interface Row {
  /** Name of the measurement, with its unit. */
  figure: string;
  sluice: string;
  bullmq?: string;
  proxy?: string;
  fastify?: string;
  nginx?: string;
  /** The result that is compared with the goal, usually relative to a peer. */
  reached: string;
  /** If omitted, the row is only informational. */
  goal?: string;
  ok?: boolean;
  /** The raw numbers, for `--json`. */
  raw: Record<string, unknown>;
}

/** Columns for peers. */
const PEERS = { bullmq: 'bare BullMQ', proxy: 'bare Node proxy', fastify: 'bare Fastify', nginx: 'nginx' } as const;
// The cast is safe because these are the object's own keys.
const PEER_NAMES = Object.keys(PEERS) as (keyof typeof PEERS)[];

export function markdownTable([header = [], ...rows]: readonly string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Renders the rows of figures. The first column is the name for `--only`. */
export function renderFigures(figures: readonly { name: string; rows: readonly Row[] }[]): string {
  const header = ['`--only`', 'figure', 'Sluice', ...PEER_NAMES.map((peer) => PEERS[peer]), 'reached', 'goal', ''];
  const rows = figures.flatMap(({ name, rows: own }) => own.map((row) => [name, ...cellsOf(row)]));
  return markdownTable([header, ...rows]);
}

function cellsOf(row: Row): string[] {
  return [
    row.figure,
    row.sluice,
    ...PEER_NAMES.map((peer) => row[peer] ?? '–'),
    row.reached,
    row.goal ?? '–',
    row.ok === undefined ? '' : row.ok ? 'yes' : '**no**',
  ];
}

const nameOf = (row: string) => row.split('|')[1]?.trim() ?? '';

/** Adds the rows of figures that `table` lacks from `old`, in the order of `names`. */
export function mergeFigures(table: string, old: string, names: readonly string[]): string {
  const [head = '', rule = '', ...measured] = table.split('\n');
  const kept = old.split('\n').filter((row) => !measured.some((other) => nameOf(other) === nameOf(row)));
  const rows = names.flatMap((name) => [...measured, ...kept].filter((row) => nameOf(row) === name));
  return [head, rule, ...rows].join('\n');
}

/**
 * Describes the machine and the run in one line.
 * @param load load average before the run. Delays are meaningless if it is above 0.5.
 */
export function renderSetting(redisVersion: string, rounds: number, load: number): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const runs = rounds === 1 ? 'one round' : `medians of ${rounds} interleaved rounds`;
  return `${availableParallelism()} cores of ${model}, Node ${process.versions.node}, Redis ${redisVersion}; ${runs}. Load average before the run: ${load.toFixed(1)}.`;
}

/**
 * Replaces the text between the two markers of a document.
 * @param textOf returns the new text for the old one
 * @throws if a marker is missing
 */
export async function writeResults(file: URL, marker: string, textOf: (old: string) => string): Promise<void> {
  const [begin, end] = [`<!-- ${marker}: begin -->`, `<!-- ${marker}: end -->`];
  const document = await readFile(file, 'utf8');
  const from = document.indexOf(begin) + begin.length;
  const to = document.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`${file.pathname} lacks the markers ${begin} and ${end}`);
  const text = textOf(document.slice(from, to));
  await writeFile(file, `${document.slice(0, from)}\n\n${text}\n\n${document.slice(to)}`);
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

export function microseconds(value: number): string {
  return `${value.toFixed(0)} µs`;
}

/** Formats bytes as an integer number of MiB, without the unit. */
export function mebibytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(0);
}
