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

const BEGIN = '<!-- results: begin -->';
const END = '<!-- results: end -->';

/** Columns for peers. A column is shown if at least one row has a value. */
const PEERS = { bullmq: 'bare BullMQ', proxy: 'bare Node proxy', fastify: 'bare Fastify', nginx: 'nginx' } as const;

export function renderTable(rows: readonly Row[]): string {
  // The cast is safe because these are the object's own keys.
  const peers = (Object.keys(PEERS) as (keyof typeof PEERS)[]).filter((peer) => rows.some((row) => row[peer]));
  const header = ['figure', 'Sluice', ...peers.map((peer) => PEERS[peer]), 'reached', 'goal', ''];
  const cells = rows.map((row) => [
    row.figure,
    row.sluice,
    ...peers.map((peer) => row[peer] ?? '–'),
    row.reached,
    row.goal ?? '–',
    row.ok === undefined ? '' : row.ok ? 'yes' : '**no**',
  ]);
  return [header, header.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
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

/** Replaces the text between the two markers of a document. @throws if a marker is missing */
export async function writeResults(file: URL, text: string): Promise<void> {
  const old = await readFile(file, 'utf8');
  const begin = old.indexOf(BEGIN);
  const end = old.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${file.pathname} lacks the markers ${BEGIN} and ${END}`);
  await writeFile(file, `${old.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${old.slice(end)}`);
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
