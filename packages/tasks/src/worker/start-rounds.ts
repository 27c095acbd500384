/** Work that is repeated in rounds, one round at a time. */
export interface Rounds {
  /** Waits for the current round and starts no further round. */
  close(): Promise<void>;
}

export interface RoundsOptions {
  /** Runs one round. Long rounds should check `isClosed` and end early. */
  work: (isClosed: () => boolean) => Promise<void>;
  everyMs: number; // Pause before each round.
  /** Receives the error of a failed round. The next round starts anyway. */
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
