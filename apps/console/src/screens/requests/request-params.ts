import { RANGE_PARAMS } from '../../lib/time-range.ts';

/** Parameters of the list in the URL. All but the period, `follow`, and `after` have the names of `GET /v1/requests`. */
export const REQUEST_FILTERS = [
  ...RANGE_PARAMS,
  'follow',
  'id',
  'batch',
  'key',
  'model',
  'upstream',
  'user',
  'label',
  'type',
  'status',
  'min_cost_usd',
  'min_duration_ms',
  'min_first_event_ms',
  'after',
] as const;
