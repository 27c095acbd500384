import { afterEach, expect, it, vi } from 'vitest';
import { type Rounds, startRounds } from './start-rounds.ts';

const PATIENT = { timeout: 30_000 };
let rounds: Rounds | undefined;
afterEach(() => rounds?.close());

it('reports a failed round and runs the next one', async () => {
  const failures: unknown[] = [];
  let done = 0;
  const work = async (): Promise<void> => {
    done += 1;
    if (done === 1) throw new Error('the first one');
  };
  rounds = startRounds({ work, everyMs: 1, onError: (error) => failures.push(error) });
  await vi.waitFor(() => expect(done).toBeGreaterThan(2), PATIENT);
  expect(failures).toEqual([new Error('the first one')]);
});

it('signals the current round on close, waits for it, and starts no other', async () => {
  const started = Promise.withResolvers<() => boolean>();
  const end = Promise.withResolvers<void>();
  let done = 0;
  const work = async (isClosed: () => boolean): Promise<void> => {
    started.resolve(isClosed);
    await end.promise;
    done += 1;
  };
  rounds = startRounds({ work, everyMs: 1, onError: () => undefined });
  const isClosed = await started.promise;
  expect(isClosed()).toBe(false);
  let hasClosed = false;
  const closing = rounds.close().then(() => (hasClosed = true));
  expect(isClosed()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([hasClosed, done]).toEqual([false, 0]);
  end.resolve();
  await closing;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(done).toBe(1);
});
