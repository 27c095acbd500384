import { CREDENTIAL_FIELDS, type CredentialField, type CredentialSet } from '@sluice/vendors';
import type { ReferenceIssue } from './check-references.ts';
import type { FieldPath } from '../issues/config-error.ts';
import { formatCredentials, KINDS } from '../schema/kinds.ts';
import type { ConfigFile } from '../schema/schema.ts';

/**
 * Finds upstreams that lack credentials required by their kind, and upstreams with credentials that their kind does not
 * accept.
 * @param unset fields that refer to an unset variable; they disable the upstream later
 */
export function checkCredentials({ upstreams }: ConfigFile, unset: readonly FieldPath[]): ReferenceIssue[] {
  return Object.entries(upstreams).flatMap(([name, upstream]): ReferenceIssue[] => {
    const { kind } = upstream;
    const isUnset = (field: CredentialField) =>
      unset.some((path) => path.length === 3 && path[1] === name && path[2] === field);
    const present = CREDENTIAL_FIELDS.filter((field) => upstream[field] !== undefined || isUnset(field));
    const sets = KINDS.credentialsOf(kind);
    const foreign = present.filter((field) => !sets.some((set) => set.includes(field)));
    const issueOf = (wrong: string) => (field: CredentialField) => ({
      path: ['upstreams', name, field],
      wrong,
      remedy: `kind \`${kind}\` takes ${formatCredentials(kind)}`,
    });
    return missingFields(sets, present)
      .map(issueOf('is required'))
      .concat(foreign.map(issueOf('is for other kinds')));
  });
}

/**
 * If a credential set is partly present, returns its missing fields. Otherwise returns the fields of the first set.
 * Returns an empty list if a set is complete.
 */
function missingFields(sets: readonly CredentialSet[], present: CredentialSet): CredentialSet {
  if (sets.some((set) => set.every((field) => present.includes(field)))) return [];
  const partial = sets.find((set) => set.some((field) => present.includes(field))) ?? sets[0] ?? [];
  return partial.filter((field) => !present.includes(field));
}
