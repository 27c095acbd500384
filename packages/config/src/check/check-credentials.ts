import { CREDENTIAL_FIELDS, type CredentialField, type CredentialSet, type UpstreamKindName } from '@sluice/vendors';
import type { ReferenceIssue } from './reference-issue.ts';
import type { FieldPath } from '../issues/config-error.ts';
import type { IdentityConfig } from '../schema/identity/identity-schema.ts';
import { formatCredentials, KINDS } from '../schema/kinds.ts';
import type { ConfigFile } from '../schema/schema.ts';

type Owner = Readonly<Partial<Record<CredentialField, string | undefined>>> & { identity?: IdentityConfig | undefined };
type Field = CredentialField | 'identity';

/**
 * Finds upstreams and pools that lack credentials required by their kind, and those with credentials that their kind
 * does not accept.
 * @param unset fields that refer to an unset variable; they disable the upstream or the credential later
 */
export function checkCredentials({ upstreams }: ConfigFile, unset: readonly FieldPath[]): ReferenceIssue[] {
  return Object.entries(upstreams).flatMap(([name, upstream]): ReferenceIssue[] => {
    const { kind, credentials } = upstream;
    const path = ['upstreams', name];
    const own = presentIn(upstream, path, unset);
    const headers = checkHeaders(upstream, path);
    if (!credentials) return checkOwner(kind, upstream, path, own).concat(headers);
    const wrong = 'cannot be set beside `credentials`';
    const remedy = 'move it into an entry of the list';
    const beside: ReferenceIssue[] = own.map((field) => ({ path: ['upstreams', name, field], wrong, remedy }));
    const entries = credentials.flatMap((one, index) => {
      const at = [...path, 'credentials', index];
      return checkEntry(kind, one, at, presentIn(one, at, unset));
    });
    return beside.concat(entries, headers);
  });
}

/** Returns the credential fields that are set, or that refer to an unset variable. */
export function presentIn(owner: Owner, at: FieldPath, unset: readonly FieldPath[]): Field[] {
  const isUnset = (field: string): boolean =>
    unset.some((path) => [...at, field].every((step, index) => path[index] === step));
  return ([...CREDENTIAL_FIELDS, 'identity'] as const).filter((field) => owner[field] !== undefined || isUnset(field));
}

/** A kind that works without a credential still needs one in each entry of a pool. */
function checkEntry(kind: UpstreamKindName, entry: Owner, at: FieldPath, present: Field[]): ReferenceIssue[] {
  if (present.length > 0 || KINDS.credentialsOf(kind).every((set) => set.length > 0))
    return checkOwner(kind, entry, at, present);
  return [{ path: [...at, 'api_key'], wrong: 'is required', remedy: 'add it, or remove the entry' }];
}

function checkOwner(kind: UpstreamKindName, owner: Owner, at: FieldPath, present: Field[]): ReferenceIssue[] {
  const keys = present.filter((field) => field !== 'identity');
  if (keys.length === present.length) return checkSet(kind, at, keys);
  const beside = keys.map((field): ReferenceIssue => {
    return { path: [...at, field], wrong: 'cannot be set beside `identity`', remedy: 'remove one of them' };
  });
  return [...checkIdentity(kind, owner, at), ...beside];
}

/** An identity without a value has a variable that is not set. */
function checkIdentity(kind: UpstreamKindName, { identity }: Owner, at: FieldPath): ReferenceIssue[] {
  const clouds: readonly string[] = KINDS.identitiesOf(kind);
  if (!identity || clouds.includes(identity.type.slice(0, identity.type.indexOf('-')))) return [];
  const remedy = `kind \`${kind}\` takes ${formatCredentials(kind)}`;
  return [{ path: [...at, 'identity', 'type'], wrong: `\`${identity.type}\` is for other kinds`, remedy }];
}

/** An identity sets the header `authorization`. */
function checkHeaders({ identity, credentials = [], headers = {} }: ConfigFile['upstreams'][string], at: FieldPath) {
  const hasIdentity = [identity, ...credentials.map((one) => one.identity)].some((one) => one !== undefined);
  const names = hasIdentity ? Object.keys(headers) : [];
  return names
    .filter((name) => name.toLowerCase() === 'authorization')
    .map((name): ReferenceIssue => {
      return { path: [...at, 'headers', name], wrong: 'cannot be set beside `identity`', remedy: 'remove one of them' };
    });
}

function checkSet(kind: UpstreamKindName, at: FieldPath, present: CredentialSet): ReferenceIssue[] {
  const sets = KINDS.credentialsOf(kind);
  const foreign = present.filter((field) => !sets.some((set) => set.includes(field)));
  const issueOf = (wrong: string) => (field: CredentialField) => ({
    path: [...at, field],
    wrong,
    remedy: `kind \`${kind}\` takes ${formatCredentials(kind)}`,
  });
  return missingFields(sets, present)
    .map(issueOf('is required'))
    .concat(foreign.map(issueOf('is for other kinds')));
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
