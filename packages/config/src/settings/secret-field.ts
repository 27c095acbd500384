import { IDENTITY_SECRETS } from '@sluice/vendors';
import type { FieldPath } from '../issues/config-error.ts';

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'secret',
  'admin_key',
  'key',
  'api_key',
  'access_key',
  'secret_key',
  'password',
  'sentinel_password',
  ...IDENTITY_SECRETS,
]);

/** Whether a field is a credential. Its value is never shown. */
export function isSecretField(path: FieldPath): boolean {
  return SECRET_FIELDS.has(String(path.at(-1))) || path.at(-2) === 'headers';
}

/** Whether a field can be a reference to a file: a credential, a URL with a password, or a certificate. */
export function mayReferToFile(path: FieldPath): boolean {
  const isUrl = path.length === 2 && (path[0] === 'redis' || path[0] === 'ledger') && path[1] === 'url';
  const isShard = path[0] === 'redis' && path[1] === 'shards';
  const isCertificate = path[0] === 'redis' && path[1] === 'tls' && path.length === 3;
  return isUrl || isShard || isCertificate || isSecretField(path);
}
