/** Does `work` for 0 … count−1, so many at a time. @throws what the first failing one throws. */
export async function eachConcurrently(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, concurrency) }, lane));
}
