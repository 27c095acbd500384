import { Readable } from 'node:stream';
import type { ByteRange, ContentStore } from '@sluice/content';

/** A blob of the content store with a part of a file. */
export type FilePart = readonly [key: string, bytes: number];

/** Reads a range of a file that consists of one or more blobs. @throws {ContentMissingError} before the first byte */
export async function openParts(
  content: Pick<ContentStore, 'open'>,
  parts: readonly FilePart[],
  range?: ByteRange,
): Promise<Readable> {
  const [only, ...more] = parts;
  if (only && more.length === 0) return content.open(only[0], range);
  const sections = sectionsOf(parts, range);
  const [first, ...rest] = sections;
  if (!first) return Readable.from([]);
  const opened = await content.open(first.key, first.range);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // The casts are safe because the store's streams yield bytes.
    yield* opened as AsyncIterable<Uint8Array>;
    for (const { key, range: section } of rest) yield* (await content.open(key, section)) as AsyncIterable<Uint8Array>;
  }
  const stream = Readable.from(chunks(), { objectMode: false });
  // A generator that was never started does not release what it would read.
  stream.once('close', () => opened.destroy());
  return stream;
}

function sectionsOf(parts: readonly FilePart[], { start, end }: ByteRange = { start: 0, end: Infinity }) {
  const sections: { key: string; range: ByteRange }[] = [];
  let offset = 0;
  for (const [key, bytes] of parts) {
    const range = { start: Math.max(0, start - offset), end: Math.min(bytes - 1, end - offset) };
    if (range.start <= range.end) sections.push({ key, range });
    offset += bytes;
  }
  return sections;
}
