/** Work that is done again and again, one round after the other. */
export interface Rounds {
  /** Begins no further round, and waits for the one under way. */
  close(): Promise<void>;
}

/** What the rounds are made of. */
export interface RoundsOptions {
  /** One round; long ones look now and then whether they are to end early. */
  work: (isClosed: () => boolean) => Promise<void>;
  /** Pause before each round. */
  everyMs: number;
  /** Told of a round that failed; the next one comes all the same. */
  onError: (error: unknown) => void;
}

/** Starts {@link Rounds}. */
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
