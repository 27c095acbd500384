/** Answers that are made with no client waiting. */
export interface BackgroundResponses {
  /**
   * Makes one.
   * @param make must not throw; its signal aborts when the process stops
   */
  run(make: (stopping: AbortSignal) => Promise<void>): void;
  /** Ends those that are under way and waits until they are kept. */
  end(): Promise<void>;
  /** Whether the process stops: what is begun now would be ended at once. */
  isEnding(): boolean;
}

/** @param stopping aborts when the process is asked to stop */
export function createBackgroundResponses(stopping: AbortSignal): BackgroundResponses {
  const closing = new AbortController();
  const ending = AbortSignal.any([stopping, closing.signal]);
  const pending = new Set<Promise<void>>();
  return {
    run(make) {
      const made = make(ending).finally(() => pending.delete(made));
      pending.add(made);
    },
    async end() {
      closing.abort();
      await Promise.allSettled(pending);
    },
    isEnding: () => ending.aborted,
  };
}
