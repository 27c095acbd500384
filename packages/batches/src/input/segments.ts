import type { ReadLine } from './read-batch-lines.ts';

/** Consecutive lines of an input file, which one worker runs. */
export interface Segment {
  /** The byte range of the lines. `end` is the byte after the last one. */
  start: number;
  end: number;
  /** The number of the first line, from 1. */
  first: number;
  lines: number;
}

/**
 * A segment has at most this many lines, or one line if it is larger. So the results of a segment are small enough for
 * Redis, and a file of 1,000,000 lines and 4 GiB has fewer segments than an upload can have parts (10,000).
 */
const MAX_LINES = 250;
const MAX_BYTES = 1024 * 1024;

/** Groups lines into segments. The same input always has the same segments. */
export class SegmentBuilder {
  #open: Segment | undefined;

  /** @returns the segment that the line completes */
  add({ number, start, end }: ReadLine): Segment | undefined {
    const open = (this.#open ??= { start, end, first: number, lines: 0 });
    open.end = end;
    open.lines += 1;
    return open.lines === MAX_LINES || open.end - open.start >= MAX_BYTES ? this.last() : undefined;
  }

  /** @returns the segment that is not complete, if any */
  last(): Segment | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open;
  }
}

export function encodeSegment({ start, end, first, lines }: Segment): string {
  return [start, end, first, lines].join(' ');
}

export function parseSegment(text: string): Segment {
  const [start = 0, end = 0, first = 1, lines = 0] = text.split(' ').map(Number);
  return { start, end, first, lines };
}
