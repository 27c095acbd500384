/** How somebody asked us to stop. */
export interface StopRequest {
  /** Resolves at the first request. */
  requested: Promise<void>;
  /** Resolves when Ctrl-C is pressed again by somebody who does not want to wait. */
  urgent: Promise<void>;
}

/** A terminal sends Ctrl-C to us and to the launcher, which passes it on: what comes this close is the same one. */
const SAME_REQUEST_MS = 500;

/**
 * Listens for every way of being asked to stop: SIGINT, SIGTERM, SIGHUP, and the launcher's channel, which closes
 * when the launcher wants us to stop and when it is killed.
 */
export function listenForStop(process: NodeJS.Process): StopRequest {
  const requested = Promise.withResolvers<void>();
  const urgent = Promise.withResolvers<void>();
  let first: number | undefined;
  const ask = (signal?: string) => {
    const now = performance.now();
    first ??= now;
    requested.resolve();
    if (signal === 'SIGINT' && now - first > SAME_REQUEST_MS) urgent.resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  if (process.send) {
    process.on('disconnect', () => ask());
    if (!process.connected) ask();
  }
  return { requested: requested.promise, urgent: urgent.promise };
}
