import type { Logger } from '@sluice/telemetry';
import type { FileStore } from './file-store.ts';

export interface FileSweeper {
  /** Waits for the sweep in progress, and starts no other. */
  close(): Promise<void>;
}

/** Sweeps periodically. Several processes may do so. A failed sweep is logged, and the next one repeats its work. */
export function startFileSweeper(
  files: Pick<FileStore, 'sweep'>,
  everyMs: number,
  logger: Pick<Logger, 'error'>,
): FileSweeper {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sweep = Promise.resolve();
  function schedule(): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      sweep = files
        .sweep()
        .catch((error: unknown) => logger.error({ err: error }, 'expired files could not be removed'))
        .finally(schedule);
    }, everyMs);
  }
  schedule();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sweep;
    },
  };
}
