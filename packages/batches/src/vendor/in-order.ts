/** Runs work on several items at once, and yields the results in the order of the items. @param width items at once */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  width: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of source) {
      const started = run(item);
      // A failure is reported when it is its turn.
      started.catch(() => undefined);
      running.push(started);
      if (running.length >= width) yield (await running.shift()) as R; // The list is not empty.
    }
    for (const started of running.splice(0)) yield await started;
  } finally {
    await Promise.allSettled(running);
  }
}
