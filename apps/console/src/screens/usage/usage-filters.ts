import type { UsageRow } from '../../api/usage-report.ts';
import type { FilterField } from '../../components/filter-bar.tsx';
import { LABEL_FIELD } from '../../components/label-field.ts';
import { formatEndpoint, parseEndpoint } from '../../lib/format.ts';
import type { USAGE_PARAMS } from './usage-params.ts';

export type UsageSearch = { [name in (typeof USAGE_PARAMS)[number]]?: string };

export const DIMENSIONS = {
  model: 'Model',
  key: 'API key',
  upstream: 'Upstream',
  user: 'End user',
  label: 'Label',
  endpoint: 'Endpoint',
} as const;
export type Dimension = keyof typeof DIMENSIONS;

export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'key', label: 'API key' },
  { name: 'model', label: 'Model' },
  { name: 'upstream', label: 'Upstream' },
  { name: 'endpoint', label: 'Endpoint', placeholder: 'POST /v1/…' },
  { name: 'user', label: 'End user' },
  LABEL_FIELD,
];

/** Returns the dimensions of the table, of which the first is never missing. */
export function dimensionsOf({ by, split }: UsageSearch): readonly [Dimension, ...Dimension[]] {
  const first = dimensionNamed(by) ?? 'model';
  const second = dimensionNamed(split);
  return second === undefined || second === first ? [first] : [first, second];
}

/** Returns only the filters, as the API names their values. */
export function filtersOf(search: UsageSearch): Readonly<Record<string, string | undefined>> {
  // The cast is safe because all parameters are text.
  const filters = FILTER_FIELDS.map(({ name }) => [name, Reflect.get(search, name) as string | undefined]);
  return { ...Object.fromEntries(filters), endpoint: search.endpoint && parseEndpoint(search.endpoint) };
}

/** Returns the value of a dimension as it is shown. */
export function shownValueOf(row: UsageRow, dimension: Dimension): string | undefined {
  const value = row[dimension] ?? undefined;
  return dimension === 'endpoint' && value !== undefined ? formatEndpoint(value) : value;
}

function dimensionNamed(name: string | undefined): Dimension | undefined {
  // The cast is safe because the name is a key of the object.
  return name !== undefined && Object.hasOwn(DIMENSIONS, name) ? (name as Dimension) : undefined;
}
