/** Encodes an MP4 box (ISO/IEC 14496-12). @param type four letters */
export function mp4Box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** Encodes 32-bit numbers. */
export function mp4Numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

/** Metadata of a track with a duration of `ticks / timescale` seconds. */
export interface Mp4Track {
  width?: number;
  height?: number;
  timescale?: number;
  ticks?: number;
  frames?: number;
}

/** Encodes a track of an MP4 index. By default, it has 96 frames in 4 seconds. @param kind `vide` or `soun` */
export function mp4Track(
  kind: string,
  { width = 0, height = 0, timescale = 24, ticks = 96, frames = 96 }: Mp4Track,
): Buffer {
  return mp4Box(
    'trak',
    mp4Box('tkhd', Buffer.alloc(76), mp4Numbers(width * 65_536, height * 65_536)),
    mp4Box(
      'mdia',
      mp4Box('mdhd', mp4Numbers(0, 0, 0, timescale, ticks, 0)),
      mp4Box('hdlr', mp4Numbers(0, 0), Buffer.from(kind), Buffer.alloc(12)),
      mp4Box('minf', mp4Box('stbl', mp4Box('stts', mp4Numbers(0, 2, frames - 1, 1, 1, 1)))),
    ),
  );
}

/** Encodes an MP4 file with an index for this track, but without frames. */
export function videoOf(video: Mp4Track): Buffer {
  return Buffer.concat([mp4Box('ftyp', Buffer.from('isom')), mp4Box('moov', mp4Track('vide', video))]);
}
