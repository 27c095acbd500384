import { Readable } from 'node:stream';
import { ENTRY_CSV_HEAD, entryCsv, type LedgerEntry, showEntry } from '@sluice/ledger';
import type { z } from 'zod';
import type { LedgerReader } from '../ledger-reader.ts';
import { filtersOf, readPeriod, type RequestFilterSchema } from '../request-search.ts';

/** Entries of one export. */
export const MAX_EXPORTED = 10_000;
const PAGE = 500;

export type ExportFormat = 'csv' | 'json';

/**
 * Reads matching entries page by page, while the client reads them, newest first.
 * @throws GatewayError `invalid_request`, `not_found` if the ledger is disabled, `store_unavailable`
 */
export async function exportRequests(
  ledger: Pick<LedgerReader, 'entries'>,
  { start_time, end_time, ...search }: z.output<typeof RequestFilterSchema>,
  format: ExportFormat,
): Promise<Readable> {
  const query = { filters: filtersOf(search), ...readPeriod({ start_time, end_time }), limit: PAGE };
  // Errors of the first page still have a status.
  const first = await ledger.entries(query);
  const pages = async function* (): AsyncGenerator<readonly LedgerEntry[]> {
    let page = first;
    for (let sent = PAGE; ; sent += PAGE) {
      yield page.entries;
      if (page.next === undefined || sent >= MAX_EXPORTED) return;
      page = await ledger.entries({ ...query, after: page.next });
    }
  };
  return Readable.from(format === 'csv' ? csvOf(pages()) : jsonOf(pages()));
}

async function* csvOf(pages: AsyncGenerator<readonly LedgerEntry[]>): AsyncGenerator<string> {
  yield ENTRY_CSV_HEAD;
  for await (const entries of pages) yield entries.map(entryCsv).join('');
}

async function* jsonOf(pages: AsyncGenerator<readonly LedgerEntry[]>): AsyncGenerator<string> {
  yield '{"object":"list","data":[';
  let isFirst = true;
  for await (const entries of pages) {
    if (entries.length === 0) break;
    yield `${isFirst ? '' : ','}${entries.map((entry) => JSON.stringify(showEntry(entry))).join(',\n')}`;
    isFirst = false;
  }
  yield ']}\n';
}
