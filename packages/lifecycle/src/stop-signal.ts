/** The part of `process` that is used. */
export type StopSource = Pick<NodeJS.Process, 'on' | 'connected' | 'exit'> & { send?: NodeJS.Process['send'] };

export interface StopSignal {
  /** Aborts at the first stop request. */
  signal: AbortSignal;
  /** Aborts when the launcher has exited without a stop request. */
  orphaned: AbortSignal;
  /** Call it after the start. Before that, a stop request exits the process. */
  started(): void;
}

/**
 * Listens for stop requests: SIGTERM, and the launcher's channel, which closes when the launcher stops or is killed.
 * Ctrl-C reaches the whole terminal group, so a launcher handles it; without a launcher, it stops this program. Call
 * this first: process 1 of a container ignores signals without a handler.
 */
export function stopSignal(source: StopSource): StopSignal {
  const stopping = new AbortController();
  const orphaned = new AbortController();
  let isStarted = false;
  const stop = (): void => {
    if (!isStarted) source.exit(0);
    stopping.abort();
  };
  source.on('SIGTERM', stop);
  source.on('SIGINT', () => {
    if (!source.send) stop();
  });
  source.on('disconnect', () => {
    if (!stopping.signal.aborted) orphaned.abort();
    stop();
  });
  // A channel that closed before this call emits no event.
  if (source.send && !source.connected) stop();
  return {
    signal: stopping.signal,
    orphaned: orphaned.signal,
    started() {
      isStarted = true;
    },
  };
}
