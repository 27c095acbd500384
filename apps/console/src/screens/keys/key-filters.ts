import type { Key } from '../../api/keys.ts';
import type { FilterField } from '../../components/filter-bar.tsx';

/** Parameters of the list in the URL. */
export const KEY_PARAMS = ['name', 'status', 'source'] as const;

export type KeySearch = { [name in (typeof KEY_PARAMS)[number]]?: string };

export const KEY_FIELDS: readonly FilterField[] = [
  { name: 'name', label: 'Name', placeholder: 'Part of a name' },
  { name: 'status', label: 'Status', options: ['active', 'expired', 'revoked', 'shadowed'] },
  { name: 'source', label: 'Source', options: ['store', 'configuration'] },
];

/** Revoked keys are shown only with the filter, because their records stay forever. */
export function matchingKeys(keys: readonly Key[], { name = '', status, source }: KeySearch): Key[] {
  return keys.filter(
    (key) =>
      key.name.toLowerCase().includes(name.toLowerCase()) &&
      (status === undefined ? key.status !== 'revoked' : key.status === status) &&
      (source === undefined || key.source === source),
  );
}
