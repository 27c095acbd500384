import { PERIOD_PARAMS } from '../../lib/periods.ts';

/** Parameters of the screen in the URL. */
export const USAGE_PARAMS = [
  ...PERIOD_PARAMS,
  'metric',
  'by',
  'split',
  'key',
  'model',
  'upstream',
  'endpoint',
  'user',
  'label',
] as const;
