import { parentPort, workerData } from 'node:worker_threads';
import { InvalidPositionError } from '../sql/query-entries.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { openPostgresDatabase } from '../postgres/postgres-database.ts';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import { NO_TRANSFER, type StoreCall, type LedgerStoreOptions, type StoreReply } from './store-calls.ts';

// The cast is safe because only `openLedgerStore` starts this thread.
const { file, url } = workerData as LedgerStoreOptions;
const store = createSqlStore(url === undefined ? openSqliteDatabase(file) : openPostgresDatabase(url));

parentPort?.on('message', (call: StoreCall) => void reply(call));

async function reply(call: StoreCall): Promise<void> {
  parentPort?.postMessage(await runCall(call), NO_TRANSFER);
  if (call.method === 'close') parentPort?.close();
}

async function runCall({ id, method, argument }: StoreCall): Promise<StoreReply> {
  try {
    // The cast is safe because `openLedgerStore` sends the argument of the method.
    return { id, result: await (store[method] as (argument: unknown) => Promise<unknown>)(argument) };
  } catch (error) {
    return { id, error: { message: messageOf(error), kind: kindOf(error) } };
  }
}

function kindOf(error: unknown): 'position' | 'range' | 'other' {
  if (error instanceof InvalidPositionError) return 'position';
  return error instanceof RangeError ? 'range' : 'other';
}

/** A failed connection to several addresses has no message, but a code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
