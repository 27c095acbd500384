import type { FilterField } from '../../components/filter-bar.tsx';
import { LABEL_FIELD } from '../../components/label-field.ts';
import { STATUS_TEXTS } from '../tasks/task-status.tsx';
import type { REQUEST_FILTERS } from './request-params.ts';

export type RequestSearch = { [name in (typeof REQUEST_FILTERS)[number]]?: string };

const STATUSES = [
  'ok',
  'error',
  '400',
  '401',
  '403',
  '404',
  '429',
  '500',
  '502',
  '503',
  '504',
  'completed',
  'failed',
  'canceled',
];

const STATUS_TITLES = { ok: 'OK', error: 'Any error', ...STATUS_TEXTS };

const NUMBER = /^\d+(?:\.\d+)?$/;
const FIELDS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, titles: STATUS_TITLES },
  { name: 'type', label: 'Type', options: ['request', 'task'] },
  { name: 'model', label: 'Model' },
  { name: 'upstream', label: 'Upstream' },
  { name: 'user', label: 'End user', placeholder: 'as in requests' },
  LABEL_FIELD,
  { name: 'min_cost_usd', label: 'Cost from', placeholder: 'USD', complete: NUMBER },
  { name: 'min_duration_ms', label: 'Duration from', placeholder: 'ms', complete: NUMBER },
  { name: 'min_first_event_ms', label: 'First event from', placeholder: 'ms', complete: NUMBER },
  { name: 'id', label: 'Id', placeholder: 'req_… or task' },
  {
    name: 'batch',
    label: 'Batch',
    placeholder: 'batch_…',
    complete: /^batch_\w{25}$/,
    problem: 'Enter the id of a batch, for example from its page.',
  },
];
const KEY_FIELD: FilterField = { name: 'key', label: 'API key' };

/** The holder of a key sees only its own requests. */
export function filterFields(seesAllKeys: boolean): readonly FilterField[] {
  return seesAllKeys ? [KEY_FIELD, ...FIELDS] : FIELDS;
}
