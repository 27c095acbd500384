import { GatewayError } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { inOrderOfCreation, type KeyRecord, parseKeyRecord, statusOfKey } from './key-record.ts';
import { LIST_SCRIPT, PUT_SCRIPT, RESERVE_SCRIPT } from './key-scripts.ts';
import { hashSecret, newKeyId, newSecret, type RandomBytes } from './key-secret.ts';
import { type JsonObject, mergePatch } from './merge-patch.ts';
import { reading, writing } from './store-access.ts';

/** What a new key is to be. */
export interface NewKey {
  name: string;
  /** As the configuration spells it; null is as good as absent. */
  settings: JsonObject;
  /** Unix milliseconds. */
  expiresAt?: number;
}

/** What is to be different about a key; the rest stays. */
export interface KeyChange {
  /** Merged into the settings (RFC 7396): null takes a field away, and gives it its default. */
  settings?: JsonObject;
  /** Unix milliseconds; null: it never expires. */
  expiresAt?: number | null;
}

/** A key whose secret is known for this once. */
export interface MadeKey {
  record: KeyRecord;
  secret: string;
}

/**
 * Keys that are made at run time, in Redis. A key is named by its id or its name. Everything throws GatewayError:
 * `store_unavailable` while Redis is away, `not_found` for a key that there is not, `invalid_request` with the field for
 * what cannot be, `internal_error` for a key that is damaged: all that can be done with it is to revoke it.
 */
export interface KeyStore {
  create(params: NewKey): Promise<MadeKey>;
  /** All of them, revoked ones too, the oldest first; what cannot be read is left out, and logged. */
  list(): Promise<KeyRecord[]>;
  /** Those that may be served: without the revoked ones, and without most that have expired. */
  listLive(): Promise<KeyRecord[]>;
  retrieve(idOrName: string): Promise<KeyRecord>;
  change(idOrName: string, change: KeyChange): Promise<KeyRecord>;
  /**
   * Gives a key a new secret; those before it end `graceMs` from now, or when they would have ended anyway.
   * @param graceMs 0: at once
   */
  rotate(idOrName: string, graceMs: number): Promise<MadeKey>;
  /** Ends a key for good. Its record stays, so that nobody inherits what was made with it by taking its name. */
  revoke(idOrName: string): Promise<KeyRecord>;
  /**
   * Keeps names for the configuration's keys, for good: no stored key gets one, not even when it is gone from there.
   * @returns those that a stored key has, or had until it was revoked
   */
  reserve(names: readonly string[]): Promise<string[]>;
  /** Different after every change, empty before the first; one cheap command. */
  version(): Promise<string>;
}

/** What a {@link KeyStore} works with. */
export interface KeyStoreOptions {
  redis: Redis;
  /** `redis.prefix` of the configuration. */
  prefix: string;
  /** Checks settings and fills in defaults; throws GatewayError `invalid_request` with the field. */
  parseSettings: (settings: JsonObject) => Record<string, unknown>;
  /** Names that stored keys may not have: those of the configured keys. */
  takenNames: ReadonlySet<string>;
  /** Unix milliseconds. */
  now: () => number;
  randomBytes: RandomBytes;
  logger: Pick<Logger, 'error'>;
}

/** A key as it was found: its record, and the text of it that a change is to replace. */
interface FoundKey {
  text: string;
  record: KeyRecord;
}

/** Names stand in paths, logs and tables; one that begins as an id could be taken for one. */
const NAME = /^(?!key_)[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;
const MAX_GRACE_MS = 30 * 24 * 3_600_000;
/** No key expires later than this, in the year 2286: what is further off is a mistake. */
const LATEST_EXPIRY_MS = 9_999_999_999_000;
/** How long expired keys stay where all processes read them: clocks differ. */
const PUT_ASIDE_MS = 24 * 3_600_000;
/** Who has a name that no stored key may have; no id is spelled so. */
const CONFIGURATION = 'configuration';
/** How often a change is tried again that met another one. */
const TRIES = 20;

/** Opens the {@link KeyStore} of a deployment. */
export function createKeyStore(options: KeyStoreOptions): KeyStore {
  const { redis, parseSettings, takenNames, now, randomBytes, logger } = options;
  // One hash tag, so that the script may touch all of them in a Redis Cluster too.
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
      throw new GatewayError('not_found', 'There is no such key. List the keys to see which there are.');
    return { id, text };
  }

  async function read(idOrName: string): Promise<FoundKey> {
    const { id, text } = await find(idOrName);
    try {
      return { text, record: parseKeyRecord(text) };
    } catch (error) {
      const what = `What is stored of the key ${id} cannot be read, so it cannot be used. Revoke it, and create another one.`;
      throw new GatewayError('internal_error', what, { retryable: false, cause: error });
    }
  }

  /** The same to end a key; of one whose record cannot be read, the little that is needed for that. */
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

  /** The record of a key, though it is put aside or brought back meanwhile. */
  async function textOf(id: string): Promise<string | null> {
    for (const place of [records, ended, records]) {
      const text = await redis.hget(place, id);
      if (text !== null) return text;
    }
    return null;
  }

  /** All records of some places, as they were at one time. */
  async function listIn(...places: string[]): Promise<KeyRecord[]> {
    const found = await redis.eval(LIST_SCRIPT, places.length, ...places);
    const stored = z.array(z.string()).parse(found);
    return stored
      .flatMap((text, at) => (at % 2 === 0 ? [] : readable(stored[at - 1] ?? '', text)))
      .toSorted(inOrderOfCreation);
  }

  /** Changes a record that is not revoked, again if somebody else was faster. */
  async function update(
    idOrName: string,
    next: (record: KeyRecord) => KeyRecord,
    reader: (idOrName: string) => Promise<FoundKey> = read,
  ): Promise<KeyRecord> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { text, record } = await reader(idOrName);
      if (record.revokedAt !== undefined) {
        throw new GatewayError('invalid_request', 'This key is revoked, and stays so. Create another one.');
      }
      const changed = next(record);
      const result = await put(record.id, record.name, text, changed);
      if (result === 'written') return changed;
      if (result === 'name taken') {
        const what = 'The name of this key is that of another one by now. Revoke this one by its id.';
        throw new GatewayError('invalid_request', what);
      }
    }
    throw new GatewayError(
      'store_unavailable',
      'This key is being changed by others at the moment. Try again shortly.',
    );
  }

  function readable(id: string, text: string): KeyRecord[] {
    try {
      return [parseKeyRecord(text)];
    } catch (error) {
      logger.error({ err: error, key_id: id }, 'a stored key cannot be read');
      return [];
    }
  }

  function checkExpiry(expiresAt: number | null | undefined): void {
    if (typeof expiresAt !== 'number' || (expiresAt > now() && expiresAt <= LATEST_EXPIRY_MS)) return;
    const what = 'expires_at must lie in the future, and before the year 2286.';
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
            'name must begin with a letter or digit, hold only these and . _ @ + -, at most 64, and not begin with key_.';
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
          const what = 'name is that of another key, or of a revoked one. Names are never given twice: choose another.';
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
          const what = 'grace_seconds must be between 0 and 2592000 (30 days).';
          throw new GatewayError('invalid_request', what, { param: 'grace_seconds' });
        }
        const { secret, kept } = makeSecret();
        const record = await update(idOrName, (before) => {
          const at = now();
          if (statusOfKey(before, at) === 'expired') {
            throw new GatewayError('invalid_request', 'This key has expired. Change its expires_at first.');
          }
          const former = [{ ...before.secret, endsAt: Infinity }, ...before.formerSecrets];
          const formerSecrets = former.flatMap(({ hash, lastFour, endsAt }) => {
            const ends = Math.min(endsAt, at + graceMs);
            // A try before, of which no answer came, may have written the new one already.
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
