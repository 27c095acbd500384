import { setTimeout as sleep } from 'node:timers/promises';
import { type Operation, OPERATIONS } from './operations.ts';

export interface Tally {
  done: number;
  failed: number;
  firstFailure?: string;
}

export interface Load {
  tallies: Map<string, Tally>;
  inFlight(): number;
  /** Operations that were not started because too many were in flight. */
  skipped: number;
}

const OPERATION_MS = 60_000;
/** Keeps the backlog of an overloaded system from growing without limit. */
const MAX_IN_FLIGHT = 400;
const TICK_MS = 50;

/** All operations in a fixed order, distributed evenly according to their shares. */
const CYCLE: readonly Operation[] = OPERATIONS.flatMap((operation) =>
  Array.from({ length: operation.share }, (_, index) => ({ operation, position: (index + 0.5) / operation.share })),
)
  .toSorted((a, b) => a.position - b.position)
  .map(({ operation }) => operation);

/** Creates a load on several API processes. */
export function createLoad(origins: readonly string[]) {
  let started = 0;
  let inFlight = 0;
  const load: Load = { tallies: new Map(), inFlight: () => inFlight, skipped: 0 };

  async function next(): Promise<void> {
    const operation = CYCLE[started % CYCLE.length];
    const origin = origins[started % origins.length];
    started += 1;
    if (!operation || origin === undefined) throw new Error('There are no operations or origins.');
    const tally = load.tallies.get(operation.name) ?? { done: 0, failed: 0 };
    load.tallies.set(operation.name, tally);
    inFlight += 1;
    try {
      await operation.run(origin, AbortSignal.timeout(OPERATION_MS));
      tally.done += 1;
    } catch (error) {
      tally.failed += 1;
      tally.firstFailure ??= String(error);
    } finally {
      inFlight -= 1;
    }
  }

  return {
    load,
    /** Keeps this number of operations in flight. @returns completed operations per second */
    async atConcurrency(concurrency: number, forMs: number): Promise<number> {
      const end = performance.now() + forMs;
      let done = 0;
      const client = async (): Promise<void> => {
        while (performance.now() < end) {
          await next();
          if (performance.now() < end) done += 1;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, client));
      return done / (forMs / 1_000);
    },
    /** Starts operations at a fixed rate, then waits for the last ones to end. */
    async atRate(perSecond: number, forMs: number): Promise<void> {
      const start = performance.now();
      let due = 0;
      const running = new Set<Promise<void>>();
      while (performance.now() - start < forMs) {
        const target = Math.floor(((performance.now() - start) / 1_000) * perSecond);
        for (; due < target; due += 1) {
          if (inFlight >= MAX_IN_FLIGHT) {
            load.skipped += 1;
            continue;
          }
          const one = next().finally(() => running.delete(one));
          running.add(one);
        }
        await sleep(TICK_MS);
      }
      await Promise.all(running);
    },
  };
}

export type LoadMaker = ReturnType<typeof createLoad>;
