import { randomBytes } from 'node:crypto';
import { createLogger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { createKeyStore, type KeyStore } from '../src/key-store.ts';

/** Opens a store that accepts all settings and names and logs nothing. Each store acts as a separate process. */
export function openPlainStore(redis: Redis, prefix: string, now: () => number): KeyStore {
  return createKeyStore({
    redis,
    prefix,
    parseSettings: (settings) => settings,
    takenNames: new Set(),
    now,
    randomBytes,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
}
