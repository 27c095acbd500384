import type { LedgerStore } from '../ledger-store.ts';

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
