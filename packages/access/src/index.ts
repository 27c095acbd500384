export { createKeyStore, type KeyStore } from './key-store.ts';
export type { IssuedKey, KeyChange, KeyStoreOptions, NewKey } from './key-requests.ts';
export { hashSecret, type RandomBytes } from './key-secret.ts';
export type { KeyRecord } from './key-record.ts';
export { showKey, type ShownKey } from './show-key.ts';
export { type KeyCache, watchKeys, type WatchKeysOptions } from './watch-keys.ts';
