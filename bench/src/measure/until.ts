import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` returns true. @throws if it takes longer than `timeoutMs` */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(50);
  }
}
