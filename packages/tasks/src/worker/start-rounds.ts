/** Work that is repeated, one round after the other. */
export interface Rounds {
  /** Starts no further round, and waits for the current one. */
  close(): Promise<void>;
}

export interface RoundsOptions {
  /** One round; long ones check now and then whether to end early. */
  work: (isClosed: () => boolean) => Promise<void>;
  /** Pause before each round. */
  everyMs: number;
  /** Called with the error of a failed round; the next round follows anyway. */
  onError: (error: unknown) => void;
}

export function startRounds({ work, everyMs, onError }: RoundsOptions): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  let isClosed = false;

  function next(): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      round = work(() => isClosed)
        .catch(onError)
        .finally(next);
    }, everyMs);
  }
  next();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await round;
    },
  };
}
