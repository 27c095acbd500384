const AT_ONCE = 4;

/**
 * Sends the parts of a request, with limited concurrency.
 * @param send sends one part; its signal aborts when another part fails
 * @returns responses in the order of the parts
 * @throws the error of the first failed call
 */
export async function sendParts<Part, Result>(
  parts: readonly Part[],
  signal: AbortSignal,
  send: (part: Part, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const responses: Result[] = [];
  const queue = parts.entries();
  const work = async (): Promise<void> => {
    for (const [index, part] of queue) {
      responses[index] = await send(part, either);
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
  // Wait for all calls to finish, then throw the first error.
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

export function chunksOf<T>(items: readonly T[], max: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / max) }, (_, index) =>
    items.slice(index * max, (index + 1) * max),
  );
}
