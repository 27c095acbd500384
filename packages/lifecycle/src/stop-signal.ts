/** The parts of `process` that {@link stopSignal} uses. */
export type StopSource = Pick<NodeJS.Process, 'on' | 'connected' | 'exit'> & { send?: NodeJS.Process['send'] };

export interface StopSignal {
  /** Aborts on the first stop request. */
  signal: AbortSignal;
  /** Aborts if the launcher exits without a stop request. */
  orphaned: AbortSignal;
  /** Call this when startup is complete. Before that, a stop request exits the process immediately. */
  started(): void;
}

/**
 * Listens for stop requests: SIGTERM, and the closing of the launcher's channel when the launcher stops or is killed.
 * Ctrl-C signals all processes of the terminal, but with a launcher, only the launcher handles it. Call this function
 * first, because process 1 of a container ignores signals without a handler.
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
  // If the channel closed before this call, no `disconnect` event follows.
  if (source.send && !source.connected) stop();
  return {
    signal: stopping.signal,
    orphaned: orphaned.signal,
    started() {
      isStarted = true;
    },
  };
}
