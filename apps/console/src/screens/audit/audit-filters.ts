import type { FilterField } from '../../components/filter-bar.tsx';
import { RANGE_PARAMS } from '../../lib/time-range.ts';

/** Parameters of the list in the URL. All but the period have the names of `GET /admin/v1/audit`. */
export const AUDIT_FILTERS = [...RANGE_PARAMS, 'actor', 'operation', 'target', 'after'] as const;

export type AuditSearch = { [name in (typeof AUDIT_FILTERS)[number]]?: string };

export const AUDIT_FIELDS: readonly FilterField[] = [
  { name: 'actor', label: 'Actor', placeholder: 'Name or id' },
  { name: 'operation', label: 'Operation', placeholder: 'Operation id' },
  { name: 'target', label: 'Target', placeholder: 'Id or name' },
];
