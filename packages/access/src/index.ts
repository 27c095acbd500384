export {
  createKeyStore,
  type KeyChange,
  type KeyStore,
  type KeyStoreOptions,
  type MadeKey,
  type NewKey,
} from './key-store.ts';
export { hashSecret, type RandomBytes } from './key-secret.ts';
export type { KeyRecord } from './key-record.ts';
export { showKey, type ShownKey } from './show-key.ts';
export { type KnownKeys, watchKeys, type WatchKeysOptions } from './watch-keys.ts';
