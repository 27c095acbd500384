export interface StopRequest {
  /** Resolves on the first stop request. */
  requested: Promise<void>;
  /** Resolves on a second Ctrl-C. */
  urgent: Promise<void>;
}

/**
 * A terminal sends Ctrl-C both to this process and to the launcher, which forwards it. Signals within this time count
 * as one request.
 */
const SAME_REQUEST_MS = 500;

/**
 * Listens for stop requests: SIGINT, SIGTERM, SIGHUP, and the end of the launcher's IPC channel, which closes when the
 * launcher stops or is killed.
 */
export function listenForStop(process: NodeJS.Process): StopRequest {
  const requested = Promise.withResolvers<void>();
  const urgent = Promise.withResolvers<void>();
  let first: number | undefined;
  const requestStop = (signal?: string) => {
    const now = performance.now();
    first ??= now;
    requested.resolve();
    if (signal === 'SIGINT' && now - first > SAME_REQUEST_MS) urgent.resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop);
  if (process.send) {
    process.on('disconnect', () => requestStop());
    if (!process.connected) requestStop();
  }
  return { requested: requested.promise, urgent: urgent.promise };
}
