import { type KeyRecord, type KeyStatus, statusOfKey } from './key-record.ts';

/** A stored key in the admin API's format, with its settings as additional fields. Times are in Unix seconds. */
export interface ShownKey {
  object: 'key';
  id: string;
  name: string;
  source: 'store';
  /** `shadowed`: a configured key has the same name and takes precedence. */
  status: KeyStatus | 'shadowed';
  last4: string;
  created_at: number;
  expires_at?: number;
  revoked_at?: number;
  /** Previous secrets that are still valid. */
  former_secrets?: { last4: string; ends_at: number }[];
  /** Entries of `models` that match no configured model. */
  unknown_models?: string[];
  [setting: string]: unknown;
}

export interface ShowKeyOptions {
  now: number;
  configuredNames: readonly string[];
  hasModel: (id: string) => boolean;
}

export function showKey(record: KeyRecord, { now, configuredNames, hasModel }: ShowKeyOptions): ShownKey {
  const { id, name, settings, secret, createdAt, expiresAt, revokedAt } = record;
  const status = statusOfKey(record, now);
  const isShadowed = status === 'active' && configuredNames.includes(name);
  const unknown = exactModels(settings).filter((model) => !hasModel(model));
  const former = record.formerSecrets.filter(({ endsAt }) => endsAt > now);
  return {
    object: 'key',
    id,
    name,
    source: 'store',
    status: isShadowed ? 'shadowed' : status,
    last4: secret.lastFour,
    ...settings,
    ...(unknown.length > 0 && { unknown_models: unknown }),
    created_at: inSeconds(createdAt),
    ...(expiresAt !== undefined && { expires_at: inSeconds(expiresAt) }),
    ...(revokedAt !== undefined && { revoked_at: inSeconds(revokedAt) }),
    ...(former.length > 0 && {
      former_secrets: former.map(({ lastFour, endsAt }) => ({ last4: lastFour, ends_at: inSeconds(endsAt) })),
    }),
  };
}

/** Omits patterns, because models added later may match them. */
function exactModels({ models }: KeyRecord['settings']): string[] {
  if (!Array.isArray(models)) return [];
  return models.filter((id): id is string => typeof id === 'string' && !id.includes('*'));
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
