import { printText } from '../terminal/print-text.ts';

const USAGE = `Usage: sluice usage [options]

Reports the requests, usage, and cost of all keys, from the usage ledger.

  --group-by D[,D]       key, model, upstream, endpoint, user, label, day, hour (default: model)
  --metric M[,M]         requests, tasks, errors, unpriced, cost, tokens, audio, characters, searches, images,
                         video_seconds, duration (default: cost); the first one sorts the table
  --since T, --until T   12h, 7d, or 4w ago; a date, an RFC 3339 time, or Unix seconds (default: the last 7 days)
  --time-zone Z          of dates, days, and hours (default: UTC)
  --key K, --model M, --upstream U, --endpoint 'POST /v1/…', --user U, --label NAME=VALUE
                         filters; repeat an option to match any of its values
  --limit N              number of rows (default: 30)
  --json, --csv          print what GET /v1/usage returns (default: all metrics, no groups, 1,000 rows)
  --after CURSOR         the next page of --json and --csv
`;

/**
 * `sluice usage`
 * @returns the exit code
 * @throws {ConfigError} if the configuration is invalid
 */
export async function usageCommand(process: NodeJS.Process): Promise<number> {
  const argv = process.argv.slice(3);
  if (['help', '--help', '-h'].includes(argv[0] ?? '')) return printText(process, USAGE);
  // Loaded lazily, because every start of a gateway imports this module.
  const { runUsage } = await import('./run-usage.ts');
  return printText(process, await runUsage(argv, process));
}
