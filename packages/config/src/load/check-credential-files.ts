import path from 'node:path';
import { readSecretFile, type SecretFileOptions } from './secret-files.ts';
import type { IdentityConfig } from '../schema/identity/identity-schema.ts';
import type { FieldPath } from '../issues/config-error.ts';
import type { ConfigFile } from '../schema/schema.ts';
import type { ReferenceIssue } from '../check/reference-issue.ts';

/** Fields of identities that name files of secrets. Clients of clouds read these files again later. */
const FILE_FIELDS = ['token_file', 'credentials_file', 'config_file'] as const;

const TYPES: ReadonlySet<unknown> = new Set(['service_account', 'external_account']);

/**
 * Finds identities whose files must not be read, because they are outside of `options.dirs`. For Google, also finds files
 * that cannot be read or have another format.
 */
export async function checkCredentialFiles(
  { upstreams }: ConfigFile,
  options: SecretFileOptions,
): Promise<ReferenceIssue[]> {
  const identities = Object.entries(upstreams).flatMap(([name, { identity, credentials = [] }]) => {
    const pooled = credentials.map((one, index) => ({
      at: ['upstreams', name, 'credentials', index, 'identity'],
      identity: one.identity,
    }));
    return [{ at: ['upstreams', name, 'identity'] as FieldPath, identity }].concat(pooled);
  });
  const found = await Promise.all(identities.map(({ at, identity }) => checkFile(at, identity, options)));
  return found.flat();
}

async function checkFile(
  at: FieldPath,
  identity: IdentityConfig | undefined,
  options: SecretFileOptions,
): Promise<ReferenceIssue[]> {
  if (identity === undefined) return [];
  if (identity.type !== 'google-credentials') return checkPlaces(at, identity, options);
  const field = [...at, 'credentials_file'];
  const read = await readSecretFile(identity.credentials_file, options);
  if ('wrong' in read) return [{ path: field, ...read }];
  const credentials = parsed(read.text);
  if (!TYPES.has(credentials['type'])) {
    const wrong = `${path.resolve(options.cwd, identity.credentials_file)} has no key of a service account and no workload identity`;
    return [{ path: field, wrong, remedy: 'name the file that Google’s console or `gcloud` created' }];
  }
  return checkSource(field, credentials['credential_source'], options);
}

async function checkPlaces(
  at: FieldPath,
  identity: IdentityConfig,
  options: SecretFileOptions,
): Promise<ReferenceIssue[]> {
  if (!options.dirs) return [];
  const found: ReferenceIssue[] = [];
  for (const field of FILE_FIELDS) {
    const file: unknown = Reflect.get(identity, field);
    if (typeof file !== 'string') continue;
    const read = await readSecretFile(file, options);
    if ('wrong' in read) found.push({ path: [...at, field], ...read });
  }
  return found;
}

/** The configuration of a workload names a second file, with the token of the platform. */
async function checkSource(field: FieldPath, source: unknown, options: SecretFileOptions): Promise<ReferenceIssue[]> {
  const file: unknown = Object(source).file;
  if (typeof file !== 'string' || !options.dirs) return [];
  const read = await readSecretFile(file, options);
  return 'wrong' in read ? [{ path: field, ...read }] : [];
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
