import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { KeyRecord } from './key-record.ts';
import type { RandomBytes } from './key-secret.ts';
import type { JsonObject } from './merge-patch.ts';

export interface NewKey {
  name: string;
  /** In the format of the configuration; null means absent. */
  settings: JsonObject;
  expiresAt?: number;
}

/** Changes to a key; absent fields stay. */
export interface KeyChange {
  /** Merged into the settings (RFC 7396): null resets a field to its default. */
  settings?: JsonObject;
  expiresAt?: number | null;
}

export interface IssuedKey {
  record: KeyRecord;
  secret: string;
}

export interface KeyStoreOptions {
  redis: Redis;
  /** `redis.prefix` of the configuration. */
  prefix: string;
  /** Checks settings and fills in defaults. @throws GatewayError `invalid_request` with the field */
  parseSettings: (settings: JsonObject) => Record<string, unknown>;
  /** Names of configured keys, which stored keys may not have. */
  takenNames: ReadonlySet<string>;
  now: () => number;
  randomBytes: RandomBytes;
  logger: Pick<Logger, 'error'>;
}
