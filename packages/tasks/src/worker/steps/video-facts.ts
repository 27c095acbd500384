import type { VideoFacts } from '@sluice/canonical';

/** Reads `length` bytes of a file from `start`, or fewer at the end of the file. */
export type ReadPart = (start: number, length: number) => Promise<Buffer>;

/** Larger than the index of any generated video. */
const MAX_INDEX_LENGTH = 16 * 1024 * 1024;
/** Maximum number of MP4 boxes to examine. The index is among the first boxes or directly after the media data. */
const MAX_BOXES = 64;

interface Box {
  type: string;
  start: number;
  end: number;
}

/**
 * Reads the properties of an MP4 (ISO/IEC 14496-12) from its index, without the media data. Returns undefined for an
 * unreadable index.
 * @param bytes length of the complete file
 */
export async function readVideoFacts(read: ReadPart, bytes: number): Promise<VideoFacts | undefined> {
  for (let at = 0, examined = 0; at + 8 <= bytes && examined < MAX_BOXES; examined += 1) {
    const box = boxAt(await read(at, 16), 0, bytes - at);
    if (!box) return undefined;
    if (box.type === 'moov') {
      const length = box.end - box.start;
      if (length > MAX_INDEX_LENGTH) return undefined;
      return factsOf(await read(at + box.start, length));
    }
    at += box.end;
  }
  return undefined;
}

function boxAt(data: Buffer, at: number, limit: number): Box | undefined {
  if (at + 8 > data.length) return undefined;
  const type = data.toString('latin1', at + 4, at + 8);
  let size = data.readUInt32BE(at);
  let header = 8;
  if (size === 1) {
    if (at + 16 > data.length) return undefined;
    size = Number(data.readBigUInt64BE(at + 8));
    header = 16;
  }
  if (size === 0) size = limit - at; // A size of 0 means that the box extends to the end.
  return size < header || at + size > limit ? undefined : { type, start: at + header, end: at + size };
}

function* boxesIn(data: Buffer, { start, end }: Pick<Box, 'start' | 'end'>): Generator<Box> {
  for (let at = start; at < end;) {
    const box = boxAt(data, at, end);
    if (!box) return;
    yield box;
    at = box.end;
  }
}

function find(data: Buffer, within: Pick<Box, 'start' | 'end'>, ...path: string[]): Box | undefined {
  let box: Pick<Box, 'start' | 'end'> | undefined = within;
  for (const type of path) {
    box = box && [...boxesIn(data, box)].find((one) => one.type === type);
  }
  return box as Box | undefined; // The loop has set the box, unless the path was empty.
}

function factsOf(moov: Buffer): VideoFacts | undefined {
  for (const track of boxesIn(moov, { start: 0, end: moov.length })) {
    if (track.type !== 'trak') continue;
    const handler = find(moov, track, 'mdia', 'hdlr');
    if (!handler || moov.toString('latin1', handler.start + 8, handler.start + 12) !== 'vide') continue;
    try {
      return trackFacts(moov, track);
    } catch (error) {
      // A RangeError means that a box is shorter than its type requires.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
  return undefined;
}

function trackFacts(moov: Buffer, track: Box): VideoFacts | undefined {
  const header = find(moov, track, 'tkhd');
  const media = find(moov, track, 'mdia', 'mdhd');
  const times = find(moov, track, 'mdia', 'minf', 'stbl', 'stts');
  if (!header || !media) return undefined;
  // Width and height are the last fields of the box, as 16.16 fixed point.
  const width = moov.readUInt32BE(header.end - 8) / 65_536;
  const height = moov.readUInt32BE(header.end - 4) / 65_536;
  const long = moov.readUInt8(media.start) === 1;
  const timescale = moov.readUInt32BE(media.start + (long ? 20 : 12));
  const ticks = long ? Number(moov.readBigUInt64BE(media.start + 24)) : moov.readUInt32BE(media.start + 16);
  if (timescale === 0 || ticks === 0) return undefined;
  const seconds = ticks / timescale;
  const frames = times ? countSamples(moov, times) : 0;
  return {
    durationMs: Math.round(seconds * 1_000),
    width: Math.round(width),
    height: Math.round(height),
    fps: Math.round(frames / seconds),
  };
}

function countSamples(moov: Buffer, { start, end }: Box): number {
  const entries = Math.min(moov.readUInt32BE(start + 4), Math.floor((end - start - 8) / 8));
  let samples = 0;
  for (let entry = 0; entry < entries; entry += 1) samples += moov.readUInt32BE(start + 8 + 8 * entry);
  return samples;
}
