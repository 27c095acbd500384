import { setTimeout as sleep } from 'node:timers/promises';
import { type Operation, OPERATIONS } from './operations.ts';

/** Results of the operations of one kind. */
export interface Tally {
  done: number;
  failed: number;
  /** The first of the failures. */
  firstFailure?: string;
}

/** A load, and what has become of it so far. */
export interface Load {
  tallies: Map<string, Tally>;
  /** Operations under way. */
  underWay(): number;
  /** Operations that were not begun because too many were under way. */
  heldBack: number;
}

/** No operation takes longer, unless something is stuck. */
const OPERATION_MS = 60_000;
/** More are not begun: a load that is behind would only fall further back. */
const MAX_UNDER_WAY = 400;
const TICK_MS = 50;

/** All operations in a fixed order in which each comes as often as its share says, evenly spread. */
const CYCLE: readonly Operation[] = OPERATIONS.flatMap((operation) =>
  Array.from({ length: operation.share }, (_, at) => ({ operation, place: (at + 0.5) / operation.share })),
)
  .toSorted((a, b) => a.place - b.place)
  .map(({ operation }) => operation);

/** Makes the ways to put a load on a gateway of several processes. */
export function createLoad(origins: readonly string[]) {
  let begun = 0;
  let underWay = 0;
  const load: Load = { tallies: new Map(), underWay: () => underWay, heldBack: 0 };

  async function next(): Promise<void> {
    const operation = CYCLE[begun % CYCLE.length];
    const origin = origins[begun % origins.length];
    begun += 1;
    if (!operation || origin === undefined) throw new Error('there is nothing to do');
    const tally = load.tallies.get(operation.name) ?? { done: 0, failed: 0 };
    load.tallies.set(operation.name, tally);
    underWay += 1;
    try {
      await operation.run(origin, AbortSignal.timeout(OPERATION_MS));
      tally.done += 1;
    } catch (error) {
      tally.failed += 1;
      tally.firstFailure ??= String(error);
    } finally {
      underWay -= 1;
    }
  }

  return {
    load,
    /** Keeps so many operations under way for a while. @returns operations per second */
    async atOnce(lanes: number, forMs: number): Promise<number> {
      const end = performance.now() + forMs;
      let done = 0;
      const lane = async (): Promise<void> => {
        while (performance.now() < end) {
          await next();
          if (performance.now() < end) done += 1;
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      return done / (forMs / 1_000);
    },
    /** Begins so many operations a second, however long they take, until the time is over; then waits for the last. */
    async atRate(perSecond: number, forMs: number): Promise<void> {
      const start = performance.now();
      let due = 0;
      const going = new Set<Promise<void>>();
      while (performance.now() - start < forMs) {
        const wanted = Math.floor(((performance.now() - start) / 1_000) * perSecond);
        for (; due < wanted; due += 1) {
          if (underWay >= MAX_UNDER_WAY) {
            load.heldBack += 1;
            continue;
          }
          const one = next().finally(() => going.delete(one));
          going.add(one);
        }
        await sleep(TICK_MS);
      }
      await Promise.all(going);
    },
  };
}

/** The way of {@link createLoad}. */
export type LoadMaker = ReturnType<typeof createLoad>;
