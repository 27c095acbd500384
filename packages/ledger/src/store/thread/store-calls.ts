import type { LedgerStore } from '../ledger-store.ts';

export interface LedgerStoreOptions {
  /** The SQLite file, if there is no `url`. The first call creates it. */
  file: string;
  /** A `postgres://` URL. */
  url?: string | undefined;
}

/** A call of a store in another thread. */
export interface StoreCall {
  id: number;
  method: keyof LedgerStore;
  argument: unknown;
}

/** Only the message of an error can be sent to another thread, not its class. */
export interface StoreReply {
  id: number;
  result?: unknown;
  error?: { message: string; kind: 'position' | 'range' | 'other' };
}

/** Messages are copied. */
export const NO_TRANSFER = [];
