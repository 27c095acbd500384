export interface TimedSignal extends Disposable {
  readonly signal: AbortSignal;
  hasTimedOut(): boolean;
}

/** The longest delay of a Node timer. */
const MAX_MS = 2 ** 31 - 1;

/**
 * A signal that aborts with another one or after a time. Dispose of it when the work is done: Node retains the signals
 * of `AbortSignal.timeout` and `AbortSignal.any` until the time has passed and the other signal is collected, some
 * hundred bytes each.
 */
export function signalWithin(other: AbortSignal, ms: number): TimedSignal {
  const own = new AbortController();
  let isLate = false;
  const follow = (): void => own.abort(other.reason);
  const timer = setTimeout(
    () => {
      isLate = true;
      own.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    },
    Math.min(Math.max(0, ms), MAX_MS),
  ).unref();
  if (other.aborted) follow();
  else other.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    hasTimedOut: () => isLate,
    [Symbol.dispose]() {
      clearTimeout(timer);
      other.removeEventListener('abort', follow);
    },
  };
}
