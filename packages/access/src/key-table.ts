import { GatewayError } from '@sluice/canonical';
import { z } from 'zod';
import { inOrderOfCreation, type KeyRecord, parseKeyRecord } from './key-record.ts';
import type { KeyStoreOptions } from './key-requests.ts';
import { LIST_SCRIPT, PUT_SCRIPT, RESERVE_SCRIPT } from './key-scripts.ts';

interface StoredKey {
  text: string;
  record: KeyRecord;
}

/** Expired keys are archived after this delay, because the clocks of processes differ. */
const ARCHIVE_DELAY_MS = 24 * 3_600_000;
/** The owner of names that no stored key may have. It is not a valid id. */
const CONFIGURATION_OWNER = 'configuration';
const MAX_TRIES = 20;

export class KeyTable {
  readonly #options: Pick<KeyStoreOptions, 'redis' | 'now' | 'logger'>;
  readonly #records: string;
  readonly #ended: string;
  readonly #expiries: string;
  readonly #names: string;
  readonly #version: string;

  constructor(options: Pick<KeyStoreOptions, 'redis' | 'prefix' | 'now' | 'logger'>) {
    this.#options = options;
    // One hash tag, so that a script can access all keys in a Redis Cluster.
    this.#records = `{${options.prefix}}:keys`;
    this.#ended = `{${options.prefix}}:keys-ended`;
    this.#expiries = `{${options.prefix}}:keys-expiries`;
    this.#names = `{${options.prefix}}:key-names`;
    this.#version = `{${options.prefix}}:keys-version`;
  }

  /**
   * Writes a record if the stored text is still `before` (empty for a new key). Returns `written`, `name taken`, or
   * another value if there was a conflicting change.
   */
  async put(before: string, record: KeyRecord): Promise<string> {
    const keys = [this.#records, this.#ended, this.#names, this.#version, this.#expiries];
    const { id, name, expiresAt, revokedAt } = record;
    const isRevoked = revokedAt !== undefined;
    const archiveAt = isRevoked || expiresAt === undefined ? '' : expiresAt + ARCHIVE_DELAY_MS;
    const { redis, now } = this.#options;
    const json = JSON.stringify(record);
    return String(
      await redis.eval(
        PUT_SCRIPT,
        keys.length,
        ...keys,
        id,
        name,
        before,
        json,
        isRevoked ? '1' : '0',
        archiveAt,
        now(),
      ),
    );
  }

  async read(idOrName: string): Promise<StoredKey> {
    const { id, text } = await this.#find(idOrName);
    try {
      return { text, record: parseKeyRecord(text) };
    } catch (error) {
      const message = `The stored record of key \`${id}\` is damaged. Revoke it and create another key.`;
      throw new GatewayError('internal_error', message, { retryable: false, cause: error });
    }
  }

  /** Returns at least the fields that a revocation needs, even from a damaged record. */
  async readForRevocation(idOrName: string): Promise<StoredKey> {
    const { redis, now } = this.#options;
    const { id, text } = await this.#find(idOrName);
    const [record] = this.#parse(id, text);
    if (record) return { text, record };
    const all = idOrName === id ? Object.entries(await redis.hgetall(this.#names)) : [];
    const name = idOrName === id ? (all.find(([, owner]) => owner === id)?.[0] ?? id) : idOrName;
    const createdAt = Number(/"createdAt":(\d{1,15})\b/.exec(text)?.[1] ?? now());
    const secret = { hash: 'lost', lastFour: '' };
    return { text, record: { id, name, settings: {}, secret, formerSecrets: [], createdAt } };
  }

  /** Changes a record that is not revoked. Retries after a concurrent change. */
  async update(
    idOrName: string,
    next: (record: KeyRecord) => KeyRecord,
    read: (idOrName: string) => Promise<StoredKey> = (key) => this.read(key),
  ): Promise<KeyRecord> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { text, record } = await read(idOrName);
      if (record.revokedAt !== undefined) {
        throw new GatewayError('invalid_request', 'This key is revoked and cannot be changed. Create another key.');
      }
      const changed = next(record);
      const result = await this.put(text, changed);
      if (result === 'written') return changed;
      if (result === 'name taken') {
        const message = 'The name of this key now belongs to another key. Revoke this key by its id.';
        throw new GatewayError('invalid_request', message);
      }
    }
    throw new GatewayError('store_unavailable', 'This key is being changed by other requests. Retry shortly.');
  }

  listAll(): Promise<KeyRecord[]> {
    return this.#list(this.#ended, this.#records);
  }

  listCurrent(): Promise<KeyRecord[]> {
    return this.#list(this.#records);
  }

  /** Returns the names that a stored or revoked key has. */
  async reserve(names: readonly string[]): Promise<string[]> {
    const taken = await this.#options.redis.eval(RESERVE_SCRIPT, 1, this.#names, CONFIGURATION_OWNER, ...names);
    return z.array(z.string()).parse(taken);
  }

  async version(): Promise<string> {
    return (await this.#options.redis.get(this.#version)) ?? '';
  }

  async #find(idOrName: string): Promise<{ id: string; text: string }> {
    const id = idOrName.startsWith('key_') ? idOrName : await this.#options.redis.hget(this.#names, idOrName);
    const text = id === null ? null : await this.#textOf(id);
    if (id === null || text === null)
      throw new GatewayError('not_found', 'The key does not exist. List the keys to see the existing ones.');
    return { id, text };
  }

  /** Reads the current records twice, because the key may be archived or restored between the reads. */
  async #textOf(id: string): Promise<string | null> {
    for (const hash of [this.#records, this.#ended, this.#records]) {
      const text = await this.#options.redis.hget(hash, id);
      if (text !== null) return text;
    }
    return null;
  }

  async #list(...hashes: string[]): Promise<KeyRecord[]> {
    const flat = z.array(z.string()).parse(await this.#options.redis.eval(LIST_SCRIPT, hashes.length, ...hashes));
    return flat
      .flatMap((text, at) => (at % 2 === 0 ? [] : this.#parse(flat[at - 1] ?? '', text)))
      .toSorted(inOrderOfCreation);
  }

  #parse(id: string, text: string): KeyRecord[] {
    try {
      return [parseKeyRecord(text)];
    } catch (error) {
      this.#options.logger.error({ err: error, key_id: id }, 'stored key could not be read');
      return [];
    }
  }
}
