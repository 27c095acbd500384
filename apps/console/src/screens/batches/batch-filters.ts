import type { Batch } from '../../api/batches.ts';
import type { FilterField } from '../../components/filter-bar.tsx';
import type { BATCH_FILTERS } from './batch-params.ts';

export type BatchSearch = { [name in (typeof BATCH_FILTERS)[number]]?: string };

/** The words for the states of a batch, in the order of its life. */
export const BATCH_TEXTS: Readonly<Record<Batch['status'], string>> = {
  validating: 'Checking input',
  in_progress: 'Running',
  finalizing: 'Writing results',
  cancelling: 'Canceling',
  completed: 'Completed',
  failed: 'Failed',
  expired: 'Expired',
  cancelled: 'Canceled',
};

export const BATCH_FIELDS: readonly FilterField[] = [
  { name: 'key', label: 'API key' },
  { name: 'status', label: 'Status', options: Object.keys(BATCH_TEXTS), titles: BATCH_TEXTS },
  { name: 'model', label: 'Model' },
];
