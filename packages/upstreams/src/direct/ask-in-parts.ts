/** How many calls of one wish are under way at once. */
const AT_ONCE = 4;

/**
 * Asks for the parts of a wish, a few at once.
 * @param ask one call; the signal ends it when another part has failed
 * @returns the answers in the order of the parts
 * @throws what the first call that failed has thrown
 */
export async function askInParts<Part, Answer>(
  parts: readonly Part[],
  signal: AbortSignal,
  ask: (part: Part, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const responses: Answer[] = [];
  const queue = parts.entries();
  const work = async (): Promise<void> => {
    // All workers take from one iterator.
    for (const [index, part] of queue) {
      responses[index] = await ask(part, either);
    }
  };
  const workers = parts.slice(0, AT_ONCE).map(async () => {
    try {
      await work();
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  // Nobody may still be sending when the caller goes on; the first error is what it is told.
  const [first] = await Promise.all([firstError(workers), Promise.allSettled(workers)]);
  if (first) throw first.error;
  return responses;
}

async function firstError(workers: readonly Promise<void>[]): Promise<{ error: unknown } | undefined> {
  try {
    await Promise.all(workers);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** A list in pieces of at most so many items. */
export function chunksOf<T>(items: readonly T[], max: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / max) }, (_, index) =>
    items.slice(index * max, (index + 1) * max),
  );
}
