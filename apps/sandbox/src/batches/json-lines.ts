import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Reads the lines of a file that are not empty, with their numbers, starting at 1. */
export async function* numberedLines(source: Readable): AsyncGenerator<{ number: number; text: string }> {
  let number = 0;
  try {
    for await (const text of createInterface({ input: source, crlfDelay: Infinity })) {
      number += 1;
      if (text.trim() !== '') yield { number, text };
    }
  } finally {
    source.destroy();
  }
}

/** Returns the first line that is not empty, or an empty text. */
export async function firstLine(source: Readable): Promise<string> {
  for await (const { text } of numberedLines(source)) return text;
  return '';
}
