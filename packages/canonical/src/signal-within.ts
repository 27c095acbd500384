/** A signal that is forgotten when its work is done. */
export interface TimedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Whether it was the time that has ended it. */
  hasTimedOut(): boolean;
}

/** The longest that a timer takes. */
const MAX_MS = 2 ** 31 - 1;

/**
 * A signal that ends with another one, or after a time, whichever is first. Dispose of it when the work is done: Node
 * keeps what `AbortSignal.timeout` and `AbortSignal.any` have made until the time is over and the other one ends, hours
 * and days later, some hundred bytes for each piece of work.
 */
export function signalWithin(other: AbortSignal, ms: number): TimedSignal {
  const own = new AbortController();
  let isLate = false;
  const follow = (): void => own.abort(other.reason);
  const timer = setTimeout(
    () => {
      isLate = true;
      own.abort(new DOMException('The time is over.', 'TimeoutError'));
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
