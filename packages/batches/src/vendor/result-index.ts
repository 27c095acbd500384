import type { Segment } from '../input/segments.ts';

/** Where the result of a line is. */
export interface ResultPlace {
  /** The number of the line, from 1. */
  line: number;
  /** The position of the content in the results. */
  source: number;
  /** The byte range of the result. `end` is the byte after the last one. */
  start: number;
  end: number;
}

/** Finds the results of lines, which vendors return in any order. It needs 24 bytes for each line. */
export class ResultIndex {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #sources: Int32Array;

  constructor(lines: number) {
    this.#starts = new Float64Array(lines);
    this.#ends = new Float64Array(lines);
    this.#sources = new Int32Array(lines).fill(-1);
  }

  /** A second result of a line is ignored. */
  add({ line, source, start, end }: ResultPlace): void {
    const at = line - 1;
    if (this.#sources[at] !== -1) return;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#sources[at] = source;
  }

  /** Encodes the places of a segment's results, in the order of the results. */
  encode({ first, lines }: Segment): string {
    const places: ResultPlace[] = [];
    for (let line = first; line < first + lines; line += 1) {
      const source = this.#sources[line - 1] ?? -1;
      if (source < 0) continue;
      places.push({ line, source, start: this.#starts[line - 1] ?? 0, end: this.#ends[line - 1] ?? 0 });
    }
    places.sort((one, other) => one.source - other.source || one.start - other.start);
    return places.map(({ line, source, start, end }) => [line, source, start, end].join(' ')).join(',');
  }
}

export function parsePlaces(text: string): ResultPlace[] {
  if (text === '') return [];
  return text.split(',').map((place) => {
    const [line = 0, source = 0, start = 0, end = 0] = place.split(' ').map(Number);
    return { line, source, start, end };
  });
}

/** Consecutive results of one source, which are read as one range. */
export interface ResultRange {
  source: number;
  start: number;
  end: number;
  places: ResultPlace[];
}

/** Groups results that are close to each other. @param maxGap bytes between two results that are read and ignored */
export function rangesOf(places: readonly ResultPlace[], maxGap: number): ResultRange[] {
  const ranges: ResultRange[] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last && last.source === place.source && place.start - last.end <= maxGap) {
      last.end = place.end;
      last.places.push(place);
    } else {
      ranges.push({ source: place.source, start: place.start, end: place.end, places: [place] });
    }
  }
  return ranges;
}
