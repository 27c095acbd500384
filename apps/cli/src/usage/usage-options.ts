const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;

/** Options of `sluice usage`, as `parseArgs` reads them. */
export const OPTIONS = {
  metric: list,
  'group-by': list,
  since: text,
  until: text,
  'time-zone': text,
  key: list,
  model: list,
  upstream: list,
  endpoint: list,
  user: list,
  label: list,
  limit: text,
  after: text,
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
} as const;

export const USAGE_OPTIONS: readonly string[] = Object.keys(OPTIONS);
