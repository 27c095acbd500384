import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { KeyRecord } from './key-record.ts';
import type { RandomBytes } from './key-secret.ts';
import type { JsonObject } from './merge-patch.ts';

export interface NewKey {
  name: string;
  /** Settings in the configuration's format. Null means that a field is not set. */
  settings: JsonObject;
  expiresAt?: number;
}

/** Changes to a key. Omitted fields stay unchanged. */
export interface KeyChange {
  /** Merged into the current settings (RFC 7396). Null resets a field to its default. */
  settings?: JsonObject;
  expiresAt?: number | null;
}

export interface IssuedKey {
  record: KeyRecord;
  secret: string;
}

export interface KeyStoreOptions {
  redis: Redis;
  /** `redis.prefix` from the configuration. */
  prefix: string;
  /** Validates settings and fills in defaults. @throws GatewayError `invalid_request` naming the field */
  parseSettings: (settings: JsonObject) => Record<string, unknown>;
  /** Names of the configured keys. A stored key cannot have one of them. */
  takenNames: ReadonlySet<string>;
  now: () => number;
  randomBytes: RandomBytes;
  logger: Pick<Logger, 'error'>;
}
