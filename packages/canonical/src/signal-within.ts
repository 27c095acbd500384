export interface TimedSignal extends Disposable {
  readonly signal: AbortSignal;
  hasTimedOut(): boolean;
}

/** The longest delay that a Node timer supports. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Aborts when `other` aborts or after `ms`. Dispose of the signal when the work is done. `AbortSignal.any` with
 * `AbortSignal.timeout` would retain memory until the time has passed and the other signal is collected.
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
