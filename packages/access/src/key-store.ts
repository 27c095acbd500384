import { changeKey, createKey, revokeKey, rotateKey } from './key-operations.ts';
import type { KeyRecord } from './key-record.ts';
import type { IssuedKey, KeyChange, KeyStoreOptions, NewKey } from './key-requests.ts';
import { KeyTable } from './key-table.ts';
import { reading, writing } from './store-access.ts';

/**
 * Keys that are created at run time, in Redis. Methods accept the id or the name of a key, and throw GatewayError:
 * `store_unavailable` while Redis is away, `not_found`, `invalid_request` with the field, or `internal_error` for a
 * damaged key, which can only be revoked.
 */
export interface KeyStore {
  create(params: NewKey): Promise<IssuedKey>;
  /** All keys including revoked ones, oldest first. Unreadable records are logged and omitted. */
  list(): Promise<KeyRecord[]>;
  /** Keys that authenticate requests: without revoked keys and most expired ones. */
  listLive(): Promise<KeyRecord[]>;
  retrieve(idOrName: string): Promise<KeyRecord>;
  change(idOrName: string, change: KeyChange): Promise<KeyRecord>;
  /** Creates a new secret. Earlier secrets end after `graceMs`, or at their own end if that comes first. */
  rotate(idOrName: string, graceMs: number): Promise<IssuedKey>;
  /** Ends a key forever. Its record stays, so that no other key can take its name and inherit its tasks. */
  revoke(idOrName: string): Promise<KeyRecord>;
  /** Reserves names for configured keys forever. Returns names that a stored key has, or had until it was revoked. */
  reserve(names: readonly string[]): Promise<string[]>;
  /** Changes with every write; empty before the first. One cheap command. */
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
