import type { LedgerEntry } from '../entry/ledger-entry.ts';
import { csvCell } from './csv-cell.ts';
import { dollarsText } from './dollars.ts';

type Cell = string | number | undefined;

/** The columns of an export of entries. */
const COLUMNS: Readonly<Record<string, (entry: LedgerEntry) => Cell>> = {
  time: ({ at }) => new Date(at).toISOString(),
  type: ({ type }) => type,
  status: ({ status }) => status,
  error_code: ({ errorCode }) => errorCode,
  key: ({ key }) => key,
  user: ({ user }) => user,
  labels: ({ labels = {} }) =>
    Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
  endpoint: ({ endpoint }) => endpoint,
  model: ({ model }) => model,
  upstream: ({ upstream }) => upstream,
  upstream_model: ({ upstreamModel }) => upstreamModel,
  duration_ms: ({ durationMs }) => durationMs,
  first_event_ms: ({ firstEventMs }) => firstEventMs,
  queue_ms: ({ queueMs }) => queueMs,
  run_ms: ({ runMs }) => runMs,
  input_tokens: ({ usage }) => usage?.inputTokens,
  cached_tokens: ({ usage }) => usage?.cachedTokens,
  cache_write_tokens: ({ usage }) => usage?.cacheWriteTokens,
  output_tokens: ({ usage }) => usage?.outputTokens,
  reasoning_tokens: ({ usage }) => usage?.reasoningTokens,
  audio_seconds: ({ usage }) => usage?.audioSeconds,
  characters: ({ usage }) => usage?.characters,
  searches: ({ usage }) => usage?.searches,
  images: ({ usage }) => usage?.images,
  video_seconds: ({ usage }) => usage?.videoSeconds,
  cost_usd: ({ costNanos }) => (costNanos === undefined ? undefined : dollarsText(costNanos)),
  dropped: ({ dropped = [] }) => dropped.join('; '),
  id: ({ id }) => id,
  request_id: ({ requestId }) => requestId,
  task_id: ({ taskId }) => taskId,
  trace_id: ({ traceId }) => traceId,
};

/** The header of an export (RFC 4180). */
export const ENTRY_CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`;

/** Encodes an entry as a line of an export. Values that the entry lacks are empty. */
export function entryCsv(entry: LedgerEntry): string {
  const cells = Object.values(COLUMNS).map((cellOf) => csvCell(String(cellOf(entry) ?? '')));
  return `${cells.join(',')}\r\n`;
}
