import { GatewayError } from '@sluice/canonical';
import { type KeyRecord, statusOfKey } from './key-record.ts';
import type { IssuedKey, KeyChange, KeyStoreOptions, NewKey } from './key-requests.ts';
import { hashSecret, newKeyId, newSecret, type RandomBytes } from './key-secret.ts';
import type { KeyTable } from './key-table.ts';
import { mergePatch } from './merge-patch.ts';

const NAME = /^(?!key_)[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;
const MAX_GRACE_MS = 30 * 24 * 3_600_000;
const LATEST_EXPIRY_MS = 9_999_999_999_000;

export async function createKey(
  table: KeyTable,
  { parseSettings, takenNames, now, randomBytes }: KeyStoreOptions,
  { name, settings, expiresAt }: NewKey,
): Promise<IssuedKey> {
  if (!NAME.test(name)) {
    const message =
      '`name` must be at most 64 characters, start with a letter or a digit, contain only letters, digits, and `.`, `_`, `@`, `+`, `-`, and not start with `key_`.';
    throw new GatewayError('invalid_request', message, { param: 'name' });
  }
  checkExpiry(expiresAt, now());
  const { secret, stored } = issueSecret(randomBytes);
  const record: KeyRecord = {
    id: newKeyId(randomBytes),
    name,
    settings: parseSettings(mergePatch({}, settings)),
    secret: stored,
    formerSecrets: [],
    createdAt: now(),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  if (takenNames.has(name) || (await table.put('', record)) !== 'written') {
    const message = '`name` belongs to another key or to a revoked one. Names are never reused; choose another.';
    throw new GatewayError('invalid_request', message, { param: 'name' });
  }
  return { record, secret };
}

export function changeKey(
  table: KeyTable,
  { parseSettings, now }: KeyStoreOptions,
  idOrName: string,
  { settings, expiresAt }: KeyChange,
): Promise<KeyRecord> {
  return table.update(idOrName, ({ expiresAt: previous, ...record }) => {
    checkExpiry(expiresAt, now());
    const next = expiresAt === undefined ? previous : expiresAt;
    return {
      ...record,
      settings: parseSettings(mergePatch(record.settings, settings ?? {})),
      ...(typeof next === 'number' && { expiresAt: next }),
    };
  });
}

export async function rotateKey(
  table: KeyTable,
  { now, randomBytes }: KeyStoreOptions,
  idOrName: string,
  graceMs: number,
): Promise<IssuedKey> {
  if (graceMs < 0 || graceMs > MAX_GRACE_MS) {
    const message = '`grace_seconds` must be from 0 to 2,592,000 (30 days).';
    throw new GatewayError('invalid_request', message, { param: 'grace_seconds' });
  }
  const { secret, stored } = issueSecret(randomBytes);
  const record = await table.update(idOrName, (before) => {
    const at = now();
    if (statusOfKey(before, at) === 'expired') {
      throw new GatewayError('invalid_request', 'This key has expired. Change its `expires_at` first.');
    }
    const former = [{ ...before.secret, endsAt: Infinity }, ...before.formerSecrets];
    const formerSecrets = former.flatMap(({ hash, lastFour, endsAt }) => {
      const ends = Math.min(endsAt, at + graceMs);
      // An earlier try may already have written the new secret, although Redis's reply was lost.
      return ends > at && hash !== stored.hash ? { hash, lastFour, endsAt: ends } : [];
    });
    return { ...before, secret: stored, formerSecrets };
  });
  return { record, secret };
}

export async function revokeKey(
  table: KeyTable,
  { now }: Pick<KeyStoreOptions, 'now'>,
  idOrName: string,
): Promise<KeyRecord> {
  const { record } = await table.readForRevocation(idOrName);
  if (record.revokedAt !== undefined) return record;
  return table.update(
    idOrName,
    (before) => ({ ...before, formerSecrets: [], revokedAt: now() }),
    (key) => table.readForRevocation(key),
  );
}

function checkExpiry(expiresAt: number | null | undefined, now: number): void {
  if (typeof expiresAt !== 'number' || (expiresAt > now && expiresAt <= LATEST_EXPIRY_MS)) return;
  const message = '`expires_at` must be in the future and before the year 2286.';
  throw new GatewayError('invalid_request', message, { param: 'expires_at' });
}

function issueSecret(randomBytes: RandomBytes): { secret: string; stored: KeyRecord['secret'] } {
  const secret = newSecret(randomBytes);
  return { secret, stored: { hash: hashSecret(secret), lastFour: secret.slice(-4) } };
}
