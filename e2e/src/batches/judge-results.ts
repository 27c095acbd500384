import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Client } from '../client.ts';
import { costOf, type VendorUsage } from './counting-vendor.ts';

export interface Results {
  completed: number;
  unknown: number;
  /** Other lines in the error file. */
  failed: number;
  /** By the number of the line: the cost of the usage in the output file, in nano-dollars. 0 for lines in the error file. */
  costs: Float64Array;
  /** One line per violation. */
  faults: string[];
}

interface Line {
  custom_id: string;
  response: { body: { usage: VendorUsage } } | null;
  error: { code: string } | null;
}

/**
 * Reads the output and error files of a batch. Each line must have one result, and the vendor must have received it once,
 * or at most once if its outcome is unknown.
 */
export async function judgeResults(
  client: Client,
  files: readonly (string | null | undefined)[],
  calls: Uint8Array,
): Promise<Results> {
  const seen = new Uint8Array(calls.length);
  const costs = new Float64Array(calls.length);
  const results: Results = { completed: 0, unknown: 0, failed: 0, costs, faults: [] };
  for (const [index, id] of files.entries()) {
    if (!id) continue;
    for await (const text of linesOf(await client.fetch(`/v1/files/${id}/content`))) {
      const { custom_id: customId, response, error } = JSON.parse(text) as Line; // The cast is safe because the gateway wrote it.
      const number = Number(customId.slice('line-'.length));
      seen[number] = (seen[number] ?? 0) + 1;
      if (index === 0) results.completed += 1;
      else if (error?.code === 'outcome_unknown') results.unknown += 1;
      else results.failed += 1;
      if (index === 0 && response) costs[number] = costOf(response.body.usage);
    }
  }
  const { faults } = results;
  count(seen, (times) => times !== 1, 'lines without exactly one result', faults);
  count(calls, (times) => times > 1, 'lines that the vendor received twice', faults);
  count(calls, (times, line) => times === 0 && (costs[line] ?? 0) > 0, 'lines with a response but no call', faults);
  return results;
}

/** Adds a fault if some lines have one. */
export function count(
  all: Uint8Array | Float64Array,
  isFault: (value: number, line: number) => boolean,
  what: string,
  faults: string[],
): void {
  let found = 0;
  for (const [line, value] of all.entries()) if (isFault(value, line)) found += 1;
  if (found > 0) faults.push(`${found} ${what}`);
}

function linesOf(response: Response): AsyncIterable<string> {
  // The cast is needed because the global type of streams differs from that of Node.
  return createInterface({ input: Readable.fromWeb(response.body as ReadableStream) });
}
