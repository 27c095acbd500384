export type { LedgerAttempt, LedgerEntry, LedgerUsage } from './entry/ledger-entry.ts';
export { type LedgerDrain, type LedgerDrainOptions, startLedgerDrain } from './drain/start-ledger-drain.ts';
export { type LedgerStats, readLedgerStats } from './drain/ledger-stats.ts';
export { ledgerKeys, type LedgerKeys, MAX_STREAM_ENTRIES } from './entry/ledger-keys.ts';
export {
  type EntriesPage,
  type EntriesQuery,
  type EntryFilters,
  type HistogramBar,
  type HistogramQuery,
  type LedgerStore,
  USAGE_DIMENSIONS,
  type UsageDimension,
  type UsageFilter,
  type UsageQuery,
  type UsageRow,
  type UsageSums,
} from './store/ledger-store.ts';
export { openLedgerStore } from './open-ledger-store.ts';
export type { LedgerStoreOptions } from './store/thread/store-calls.ts';
export { InvalidPositionError } from './store/sql/query-entries.ts';
export { dollarsOf, dollarsText } from './report/dollars.ts';
export { isLateUsage } from './entry/late-usage.ts';
export { invalidParam, parseFields } from './report/parse-fields.ts';
export { type ParsedTime, parseTime } from './report/parse-time.ts';
export { parseUsageReport, type UsageReport } from './report/parse-usage-report.ts';
export { FilterSchema, LabelSchema, MAX_ROWS, MAX_VALUE_LENGTH, UsageReportFields } from './report/report-fields.ts';
export { showEntry, type ShownLedgerEntry } from './report/show-entry.ts';
export { ENTRY_CSV_HEAD, entryCsv } from './report/entry-csv.ts';
export { usageCsv } from './report/usage-csv.ts';
export {
  fieldsOf,
  fieldValue,
  mainFieldOf,
  USAGE_FIELDS,
  USAGE_METRICS,
  type UsageField,
  type UsageMetric,
} from './report/usage-metrics.ts';
export { readUsagePage, showUsagePage, type ShownUsage, type UsagePage } from './report/usage-page.ts';
export { dateOf, minuteOf } from './report/zoned-time.ts';
