import { changeKey, createKey, revokeKey, rotateKey } from './key-operations.ts';
import type { KeyRecord } from './key-record.ts';
import type { IssuedKey, KeyChange, KeyStoreOptions, NewKey } from './key-requests.ts';
import { KeyTable } from './key-table.ts';
import { reading, writing } from './store-access.ts';

/**
 * API keys created at run time, stored in Redis. Methods accept a key's id or name. They throw GatewayError:
 * `store_unavailable` while Redis is down, `not_found`, `invalid_request` naming the field, or `internal_error` for a
 * damaged key, which can only be revoked.
 */
export interface KeyStore {
  create(params: NewKey): Promise<IssuedKey>;
  /** Returns all keys including revoked ones, oldest first. Unreadable records are logged and omitted. */
  list(): Promise<KeyRecord[]>;
  /** Returns the keys that can authenticate requests, without revoked keys and without most expired ones. */
  listLive(): Promise<KeyRecord[]>;
  retrieve(idOrName: string): Promise<KeyRecord>;
  change(idOrName: string, change: KeyChange): Promise<KeyRecord>;
  /** Creates a new secret. Earlier secrets expire after `graceMs`, or at their own expiry if that comes first. */
  rotate(idOrName: string, graceMs: number): Promise<IssuedKey>;
  /** Permanently revokes a key. Its record stays, so that no other key can take its name and inherit its tasks. */
  revoke(idOrName: string): Promise<KeyRecord>;
  /** Permanently reserves names for configured keys. Returns the names that a stored or revoked key already has. */
  reserve(names: readonly string[]): Promise<string[]>;
  /** Returns a version that changes with every write. Empty before the first write. Costs one cheap command. */
  version(): Promise<string>;
}

export function createKeyStore(options: KeyStoreOptions): KeyStore {
  const table = new KeyTable(options);
  return {
    create: (params) => writing(() => createKey(table, options, params)),
    list: () => reading(() => table.listAll()),
    listLive: () => reading(async () => (await table.listCurrent()).filter(({ revokedAt }) => revokedAt === undefined)),
    retrieve: (idOrName) => reading(async () => (await table.read(idOrName)).record),
    change: (idOrName, change) => writing(() => changeKey(table, options, idOrName, change)),
    rotate: (idOrName, graceMs) => writing(() => rotateKey(table, options, idOrName, graceMs)),
    revoke: (idOrName) => writing(() => revokeKey(table, options, idOrName)),
    reserve: (names) => writing(() => table.reserve(names)),
    version: () => reading(() => table.version()),
  };
}
