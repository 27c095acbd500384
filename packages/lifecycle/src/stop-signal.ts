/** The part of `process` that tells when to stop. */
export type StopSource = Pick<NodeJS.Process, 'on' | 'connected' | 'exit'> & { send?: NodeJS.Process['send'] };

/** A request to stop, and from when on it can be met with grace. */
export interface StopSignal {
  /** Aborts at the first request. */
  signal: AbortSignal;
  /** Tells that something is running now: until then, a request simply ends the process. */
  started(): void;
}

/**
 * Listens for every way in which one of our programs is asked to stop: SIGTERM, and the launcher's channel, which closes
 * when the launcher wants that and when it is killed. Ctrl-C reaches the whole terminal group: under a launcher it is
 * the launcher's to act upon, alone it stops the program.
 *
 * Call it first: process 1 of a container ignores signals that it has no handler for.
 */
export function stopSignal(source: StopSource): StopSignal {
  const stopping = new AbortController();
  let isStarted = false;
  const stop = (): void => {
    if (!isStarted) source.exit(0);
    stopping.abort();
  };
  source.on('SIGTERM', stop);
  source.on('SIGINT', () => {
    if (!source.send) stop();
  });
  source.on('disconnect', stop);
  // A launcher that died before we listened is not told of any more.
  if (source.send && !source.connected) stop();
  return {
    signal: stopping.signal,
    started() {
      isStarted = true;
    },
  };
}
