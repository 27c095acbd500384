import { GatewayError } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { inOrderOfCreation, type KeyRecord, parseKeyRecord, statusOfKey } from './key-record.ts';
import { LIST_SCRIPT, PUT_SCRIPT, RESERVE_SCRIPT } from './key-scripts.ts';
import { hashSecret, newKeyId, newSecret, type RandomBytes } from './key-secret.ts';
import { type JsonObject, mergePatch } from './merge-patch.ts';
import { reading, writing } from './store-access.ts';

export interface NewKey {
  name: string;
  /** In the format of the configuration; null means absent. */
  settings: JsonObject;
  /** Unix milliseconds. */
  expiresAt?: number;
}

/** Changes to a key; absent fields stay. */
export interface KeyChange {
  /** Merged into the settings (RFC 7396): null resets a field to its default. */
  settings?: JsonObject;
  /** Unix milliseconds; null: it never expires. */
  expiresAt?: number | null;
}

/** A key with its secret, which is shown only this once. */
export interface MadeKey {
  record: KeyRecord;
  secret: string;
}

/**
 * Keys that are created at run time, in Redis. Methods accept the id or the name of a key. Every method throws
 * GatewayError: `store_unavailable` while Redis is away, `not_found`, `invalid_request` with the field, or
 * `internal_error` for a damaged key, which can only be revoked.
 */
export interface KeyStore {
  create(params: NewKey): Promise<MadeKey>;
  /** All keys including revoked ones, oldest first. Unreadable records are logged and left out. */
  list(): Promise<KeyRecord[]>;
  /** Keys that may be served: without revoked keys and most expired ones. */
  listLive(): Promise<KeyRecord[]>;
  retrieve(idOrName: string): Promise<KeyRecord>;
  change(idOrName: string, change: KeyChange): Promise<KeyRecord>;
  /**
   * Gives a key a new secret. Earlier secrets end after `graceMs`, or at their own end if that comes first.
   * @param graceMs 0: at once
   */
  rotate(idOrName: string, graceMs: number): Promise<MadeKey>;
  /** Ends a key forever. Its record stays, so that no other key can take its name and inherit its tasks. */
  revoke(idOrName: string): Promise<KeyRecord>;
  /**
   * Reserves names for the configuration's keys forever: no stored key gets one, even after it has left the
   * configuration.
   * @returns names that a stored key has, or had until it was revoked
   */
  reserve(names: readonly string[]): Promise<string[]>;
  /** Changes with every write; empty before the first. One cheap command. */
  version(): Promise<string>;
}

export interface KeyStoreOptions {
  redis: Redis;
  /** `redis.prefix` of the configuration. */
  prefix: string;
  /** Checks settings and fills in defaults. @throws GatewayError `invalid_request` with the field */
  parseSettings: (settings: JsonObject) => Record<string, unknown>;
  /** Names of the configured keys, which stored keys may not have. */
  takenNames: ReadonlySet<string>;
  /** Unix milliseconds. */
  now: () => number;
  randomBytes: RandomBytes;
  logger: Pick<Logger, 'error'>;
}

/** A key with the stored text that a change replaces. */
interface FoundKey {
  text: string;
  record: KeyRecord;
}

/** Names appear in paths, logs, and tables. A name must not look like an id. */
const NAME = /^(?!key_)[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;
const MAX_GRACE_MS = 30 * 24 * 3_600_000;
/** Year 2286. A later expiry is a mistake. */
const LATEST_EXPIRY_MS = 9_999_999_999_000;
/** How long expired keys stay readable for all processes, because clocks differ. */
const PUT_ASIDE_MS = 24 * 3_600_000;
/** Holder of names that no stored key may have; not a valid id. */
const CONFIGURATION = 'configuration';
/** Retries of a change that conflicts with another one. */
const TRIES = 20;

export function createKeyStore(options: KeyStoreOptions): KeyStore {
  const { redis, parseSettings, takenNames, now, randomBytes, logger } = options;
  // One hash tag, so that a script may touch all keys in a Redis Cluster too.
  const records = `{${options.prefix}}:keys`;
  const ended = `{${options.prefix}}:keys-ended`;
  const expiries = `{${options.prefix}}:keys-expiries`;
  const names = `{${options.prefix}}:key-names`;
  const version = `{${options.prefix}}:keys-version`;

  async function put(id: string, name: string, before: string, next: KeyRecord): Promise<string> {
    const keys = [records, ended, names, version, expiries];
    const isRevoked = next.revokedAt !== undefined;
    const putAsideAt = isRevoked || next.expiresAt === undefined ? '' : next.expiresAt + PUT_ASIDE_MS;
    const told = [id, name, before, JSON.stringify(next), isRevoked ? '1' : '0', putAsideAt, now()];
    return String(await redis.eval(PUT_SCRIPT, keys.length, ...keys, ...told));
  }

  async function find(idOrName: string): Promise<{ id: string; text: string }> {
    const id = idOrName.startsWith('key_') ? idOrName : await redis.hget(names, idOrName);
    const text = id === null ? null : await textOf(id);
    if (id === null || text === null)
      throw new GatewayError('not_found', 'The key does not exist. List the keys to see the existing ones.');
    return { id, text };
  }

  async function read(idOrName: string): Promise<FoundKey> {
    const { id, text } = await find(idOrName);
    try {
      return { text, record: parseKeyRecord(text) };
    } catch (error) {
      const what = `The stored record of key \`${id}\` is damaged. Revoke it and create another key.`;
      throw new GatewayError('internal_error', what, { retryable: false, cause: error });
    }
  }

  /** Reads a key to revoke it. For a damaged record it returns the minimum that revoking needs. */
  async function readAnyway(idOrName: string): Promise<FoundKey> {
    const { id, text } = await find(idOrName);
    const [record] = readable(id, text);
    if (record) return { text, record };
    const all = idOrName === id ? Object.entries(await redis.hgetall(names)) : [];
    const name = idOrName === id ? (all.find(([, holder]) => holder === id)?.[0] ?? id) : idOrName;
    const createdAt = Number(/"createdAt":(\d{1,15})\b/.exec(text)?.[1] ?? now());
    const secret = { hash: 'lost', lastFour: '' };
    return { text, record: { id, name, settings: {}, secret, formerSecrets: [], createdAt } };
  }

  /** Looks twice into the live records, because the key may be archived or restored meanwhile. */
  async function textOf(id: string): Promise<string | null> {
    for (const place of [records, ended, records]) {
      const text = await redis.hget(place, id);
      if (text !== null) return text;
    }
    return null;
  }

  /** Lists all records of some hashes at one point in time. */
  async function listIn(...places: string[]): Promise<KeyRecord[]> {
    const found = await redis.eval(LIST_SCRIPT, places.length, ...places);
    const stored = z.array(z.string()).parse(found);
    return stored
      .flatMap((text, at) => (at % 2 === 0 ? [] : readable(stored[at - 1] ?? '', text)))
      .toSorted(inOrderOfCreation);
  }

  /** Changes a record that is not revoked; retries after a concurrent change. */
  async function update(
    idOrName: string,
    next: (record: KeyRecord) => KeyRecord,
    reader: (idOrName: string) => Promise<FoundKey> = read,
  ): Promise<KeyRecord> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { text, record } = await reader(idOrName);
      if (record.revokedAt !== undefined) {
        throw new GatewayError('invalid_request', 'This key is revoked and cannot be changed. Create another key.');
      }
      const changed = next(record);
      const result = await put(record.id, record.name, text, changed);
      if (result === 'written') return changed;
      if (result === 'name taken') {
        const what = 'The name of this key now belongs to another key. Revoke this key by its id.';
        throw new GatewayError('invalid_request', what);
      }
    }
    throw new GatewayError('store_unavailable', 'This key is being changed by other requests. Retry shortly.');
  }

  function readable(id: string, text: string): KeyRecord[] {
    try {
      return [parseKeyRecord(text)];
    } catch (error) {
      logger.error({ err: error, key_id: id }, 'stored key is unreadable');
      return [];
    }
  }

  function checkExpiry(expiresAt: number | null | undefined): void {
    if (typeof expiresAt !== 'number' || (expiresAt > now() && expiresAt <= LATEST_EXPIRY_MS)) return;
    const what = '`expires_at` must be in the future and before the year 2286.';
    throw new GatewayError('invalid_request', what, { param: 'expires_at' });
  }

  function makeSecret(): { secret: string; kept: KeyRecord['secret'] } {
    const secret = newSecret(randomBytes);
    return { secret, kept: { hash: hashSecret(secret), lastFour: secret.slice(-4) } };
  }

  return {
    create: ({ name, settings, expiresAt }) =>
      writing(async () => {
        if (!NAME.test(name)) {
          const what =
            '`name` must have at most 64 characters, start with a letter or a digit, contain only letters, digits, and `.`, `_`, `@`, `+`, `-`, and not start with `key_`.';
          throw new GatewayError('invalid_request', what, { param: 'name' });
        }
        checkExpiry(expiresAt);
        const { secret, kept } = makeSecret();
        const record: KeyRecord = {
          id: newKeyId(randomBytes),
          name,
          settings: parseSettings(mergePatch({}, settings)),
          secret: kept,
          formerSecrets: [],
          createdAt: now(),
          ...(expiresAt !== undefined && { expiresAt }),
        };
        if (takenNames.has(name) || (await put(record.id, name, '', record)) !== 'written') {
          const what = '`name` belongs to another key or to a revoked one. Names are never reused; choose another.';
          throw new GatewayError('invalid_request', what, { param: 'name' });
        }
        return { record, secret };
      }),

    list: () => reading(() => listIn(ended, records)),

    listLive: () => reading(async () => (await listIn(records)).filter(({ revokedAt }) => revokedAt === undefined)),

    reserve: (wanted) =>
      writing(async () =>
        z.array(z.string()).parse(await redis.eval(RESERVE_SCRIPT, 1, names, CONFIGURATION, ...wanted)),
      ),

    retrieve: (idOrName) => reading(async () => (await read(idOrName)).record),

    change: (idOrName, { settings, expiresAt }) =>
      writing(() =>
        update(idOrName, ({ expiresAt: expiredAt, ...record }) => {
          checkExpiry(expiresAt);
          const ends = expiresAt === undefined ? expiredAt : expiresAt;
          return {
            ...record,
            settings: parseSettings(mergePatch(record.settings, settings ?? {})),
            ...(typeof ends === 'number' && { expiresAt: ends }),
          };
        }),
      ),

    rotate: (idOrName, graceMs) =>
      writing(async () => {
        if (graceMs < 0 || graceMs > MAX_GRACE_MS) {
          const what = '`grace_seconds` must be between 0 and 2592000 (30 days).';
          throw new GatewayError('invalid_request', what, { param: 'grace_seconds' });
        }
        const { secret, kept } = makeSecret();
        const record = await update(idOrName, (before) => {
          const at = now();
          if (statusOfKey(before, at) === 'expired') {
            throw new GatewayError('invalid_request', 'This key has expired. Change its `expires_at` first.');
          }
          const former = [{ ...before.secret, endsAt: Infinity }, ...before.formerSecrets];
          const formerSecrets = former.flatMap(({ hash, lastFour, endsAt }) => {
            const ends = Math.min(endsAt, at + graceMs);
            // An earlier try, whose reply was lost, may have written the new secret already.
            return ends > at && hash !== kept.hash ? { hash, lastFour, endsAt: ends } : [];
          });
          return { ...before, secret: kept, formerSecrets };
        });
        return { record, secret };
      }),

    revoke: (idOrName) =>
      writing(async () => {
        const { record } = await readAnyway(idOrName);
        if (record.revokedAt !== undefined) return record;
        return update(idOrName, (before) => ({ ...before, formerSecrets: [], revokedAt: now() }), readAnyway);
      }),

    version: () => reading(async () => (await redis.get(version)) ?? ''),
  };
}
