import { Worker } from 'node:worker_threads';
import type { LedgerStore } from './store/ledger-store.ts';
import { InvalidPositionError } from './store/sql/query-entries.ts';
import { NO_TRANSFER, type StoreCall, type LedgerStoreOptions, type StoreReply } from './store/thread/store-calls.ts';

type Method = keyof LedgerStore;

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

const MAX_HEAP_MB = 512;

/** If it has exited, the next call starts another. */
class StoreThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  hasExited = false;

  constructor(location: LedgerStoreOptions) {
    this.#worker = new Worker(new URL('./store/thread/store-thread.ts', import.meta.url), {
      workerData: location,
      // Node 22 warns that `node:sqlite` is experimental.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // A report with very many groups ends the thread, and not the process.
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#worker.on('message', (reply: StoreReply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#end(new Error('The thread of the ledger has stopped.')));
    // An idle thread does not keep the process alive.
    this.#worker.unref();
  }

  call(method: Method, argument: unknown): Promise<unknown> {
    const id = (this.#calls += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, method, argument } satisfies StoreCall, NO_TRANSFER);
    });
  }

  #settle({ id, result, error }: StoreReply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (error?.kind === 'position') pending?.reject(new InvalidPositionError());
    else if (error) pending?.reject(error.kind === 'range' ? new RangeError(error.message) : new Error(error.message));
    else pending?.resolve(result);
  }

  #end(error: Error): void {
    this.hasExited = true;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/**
 * Opens the store that the configuration selects, in a thread of its own: SQLite blocks while it works, and to read many
 * rows of PostgreSQL would delay requests. Nothing happens before the first call, which may fail.
 */
export function openLedgerStore(location: LedgerStoreOptions): LedgerStore {
  let thread: StoreThread | undefined;
  const call = <M extends Method>(method: M, argument?: unknown): ReturnType<LedgerStore[M]> => {
    if (!thread || thread.hasExited) thread = new StoreThread(location);
    // The cast is safe because the thread calls the same method.
    return thread.call(method, argument) as ReturnType<LedgerStore[M]>;
  };
  return {
    add: (entries) => call('add', entries),
    usage: (query) => call('usage', query),
    entries: (query) => call('entries', query),
    histogram: (query) => call('histogram', query),
    fallbacks: (query) => call('fallbacks', query),
    deleteBefore: (times) => call('deleteBefore', times),
    async close() {
      if (thread && !thread.hasExited) await call('close');
      thread = undefined;
    },
  };
}
