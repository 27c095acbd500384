import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';

/** One row of the table. */
export interface Row {
  /** What is measured, with its unit. */
  figure: string;
  sluice: string;
  bullmq?: string;
  proxy?: string;
  fastify?: string;
  nginx?: string;
  /** Sluice to its peer, or whatever the goal is about. */
  reached: string;
  /** Absent: told for understanding, not aimed at. */
  goal?: string;
  ok?: boolean;
  /** The numbers behind it, for `--json`. */
  raw: Record<string, unknown>;
}

const BEGIN = '<!-- results: begin -->';
const END = '<!-- results: end -->';

/** Columns of peers, shown where any row has a value. */
const PEERS = { bullmq: 'bare BullMQ', proxy: 'bare Node proxy', fastify: 'bare Fastify', nginx: 'nginx' } as const;

/** The table as Markdown. */
export function renderTable(rows: readonly Row[]): string {
  const peers = (Object.keys(PEERS) as (keyof typeof PEERS)[]).filter((peer) => rows.some((row) => row[peer])); // own keys
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
 * One line that says on what the run was made.
 * @param load the machine's load average before the run: anything above 0.5 makes the delays worthless
 */
export function renderSetting(redisVersion: string, rounds: number, load: number): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const runs = rounds === 1 ? 'one round' : `medians of ${rounds} interleaved rounds`;
  return `${availableParallelism()} cores of ${model}, Node ${process.versions.node}, Redis ${redisVersion}; ${runs}. Load average before the run: ${load.toFixed(1)}.`;
}

/** Replaces what stands between the two markers of a document. @throws when it lacks them. */
export async function writeResults(file: URL, text: string): Promise<void> {
  const old = await readFile(file, 'utf8');
  const begin = old.indexOf(BEGIN);
  const end = old.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${file.pathname} lacks the markers ${BEGIN} and ${END}`);
  await writeFile(file, `${old.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${old.slice(end)}`);
}

/** A ratio for people, e.g. `1.35×`. */
export function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

/** A time for people, e.g. `113 µs`. */
export function microseconds(value: number): string {
  return `${value.toFixed(0)} µs`;
}

/** Bytes as whole MiB, without the unit. */
export function mebibytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(0);
}
