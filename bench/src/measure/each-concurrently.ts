/** Runs `work` for 0 to count − 1 with limited concurrency. @throws the first error */
export async function eachConcurrently(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const runNext = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, concurrency) }, runNext));
}
