import { parentPort, workerData } from 'node:worker_threads';
import { InvalidPositionError } from '../sql/query-entries.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { NO_TRANSFER, type StoreCall, type StoreReply } from './store-calls.ts';

/** Runs a store in a thread, because `node:sqlite` blocks. */
// The cast is safe because only `openSqliteStore` starts this thread.
const { file } = workerData as { file: string };
const store = createSqlStore(openSqliteDatabase(file));

parentPort?.on('message', (call: StoreCall) => void reply(call));

async function reply(call: StoreCall): Promise<void> {
  parentPort?.postMessage(await runCall(call), NO_TRANSFER);
  if (call.method === 'close') parentPort?.close();
}

async function runCall({ id, method, argument }: StoreCall): Promise<StoreReply> {
  try {
    // The cast is safe because `openSqliteStore` sends the argument of the method.
    return { id, result: await (store[method] as (argument: unknown) => Promise<unknown>)(argument) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, error: { message, kind: kindOf(error) } };
  }
}

function kindOf(error: unknown): 'position' | 'range' | 'other' {
  if (error instanceof InvalidPositionError) return 'position';
  return error instanceof RangeError ? 'range' : 'other';
}
