import type { FilterField } from '../../components/filter-bar.tsx';
import { PERIOD_PARAMS } from '../../lib/periods.ts';

/** Parameters of the list in the URL. All but `period` and `after` have the names of `GET /v1/requests`. */
export const REQUEST_FILTERS = [
  ...PERIOD_PARAMS,
  'id',
  'key',
  'model',
  'upstream',
  'user',
  'label',
  'type',
  'status',
  'min_cost_usd',
  'min_duration_ms',
  'after',
] as const;

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

const FIELDS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES },
  { name: 'type', label: 'Type', options: ['request', 'task'] },
  { name: 'model', label: 'Model' },
  { name: 'upstream', label: 'Upstream' },
  { name: 'user', label: 'End user' },
  { name: 'label', label: 'Label', placeholder: 'name=value' },
  { name: 'min_cost_usd', label: 'Cost from', placeholder: 'USD' },
  { name: 'min_duration_ms', label: 'Duration from', placeholder: 'ms' },
  { name: 'id', label: 'Id', placeholder: 'req_… or task' },
];
const KEY_FIELD: FilterField = { name: 'key', label: 'API key' };

/** The holder of a key sees only its own requests. */
export function filterFields(seesAllKeys: boolean): readonly FilterField[] {
  return seesAllKeys ? [KEY_FIELD, ...FIELDS] : FIELDS;
}
