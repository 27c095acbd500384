import { type KeyRecord, type KeyStatus, statusOfKey } from './key-record.ts';

/** A stored key as operators see it, its settings beside these fields: never its secret. Times are Unix seconds. */
export interface ShownKey {
  object: 'key';
  id: string;
  name: string;
  source: 'store';
  status: KeyStatus;
  /** Last characters of the secret. */
  last4: string;
  created_at: number;
  expires_at?: number;
  revoked_at?: number;
  /** Secrets before the last rotations that are still good. */
  former_secrets?: { last4: string; ends_at: number }[];
  /** What the key allows and asks for, as the configuration spells it. */
  [setting: string]: unknown;
}

/**
 * Shows a stored key as it is at a time.
 * @param now Unix milliseconds
 */
export function showKey(record: KeyRecord, now: number): ShownKey {
  const { id, name, settings, secret, createdAt, expiresAt, revokedAt } = record;
  const former = record.formerSecrets.filter(({ endsAt }) => endsAt > now);
  return {
    object: 'key',
    id,
    name,
    source: 'store',
    status: statusOfKey(record, now),
    last4: secret.lastFour,
    ...settings,
    created_at: inSeconds(createdAt),
    ...(expiresAt !== undefined && { expires_at: inSeconds(expiresAt) }),
    ...(revokedAt !== undefined && { revoked_at: inSeconds(revokedAt) }),
    ...(former.length > 0 && {
      former_secrets: former.map(({ lastFour, endsAt }) => ({ last4: lastFour, ends_at: inSeconds(endsAt) })),
    }),
  };
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
