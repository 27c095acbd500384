export interface BackgroundResponses {
  /** @param work must not throw; its signal aborts when the process stops */
  run(work: (stopping: AbortSignal) => Promise<void>): void;
  end(): Promise<void>;
  /** Whether the process is stopping. A new response would be aborted immediately. */
  isEnding(): boolean;
}

export function createBackgroundResponses(stopping: AbortSignal): BackgroundResponses {
  const closing = new AbortController();
  const ending = AbortSignal.any([stopping, closing.signal]);
  const pending = new Set<Promise<void>>();
  return {
    run(work) {
      const running = work(ending).finally(() => pending.delete(running));
      pending.add(running);
    },
    async end() {
      closing.abort();
      await Promise.allSettled(pending);
    },
    isEnding: () => ending.aborted,
  };
}
