/** Draws that depend on nothing but the seed and their order. */
export interface SeededRandom {
  /** From 0 up to 1. */
  next(): number;
  /** One of several. @throws when there is none */
  pick<T>(choices: readonly T[]): T;
}

/** Builds a {@link SeededRandom}: mulberry32, which is small and good enough to choose by. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    pick<T>(choices: readonly T[]): T {
      const chosen = choices[Math.floor(next() * choices.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}
