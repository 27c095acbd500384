import { box, fullBox, numbers } from './box.ts';

export interface VideoTrack {
  width: number;
  height: number;
  framesPerSecond: number;
  /** The sequence parameter set as a NAL unit. */
  sequence: Uint8Array;
  /** The picture parameter set as a NAL unit. */
  image: Uint8Array;
  /** One NAL unit per frame. Only the first frame is a key frame. */
  frames: readonly Uint8Array[];
}

/** The identity matrix of movie and track headers, in 16.16 and 2.30 fixed point. */
const MATRIX = numbers(32, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Encodes the decoder configuration (ISO/IEC 14496-15 §5.3.3.1): both parameter sets, and NAL lengths of 4 bytes. */
function avcConfiguration({ sequence, image }: VideoTrack): Buffer {
  return box(
    'avcC',
    numbers(8, 1),
    sequence.subarray(1, 4), // profile, constraints, level
    numbers(8, 0xff, 0xe1),
    numbers(16, sequence.length),
    sequence,
    numbers(8, 1),
    numbers(16, image.length),
    image,
  );
}

function sampleTable(track: VideoTrack, firstSampleAt: number): Buffer {
  const { width, height, frames } = track;
  const entry = box(
    'avc1',
    numbers(16, 0, 0, 0, 1), // reserved, data reference index 1
    Buffer.alloc(16),
    numbers(16, width, height),
    numbers(32, 0x480000, 0x480000, 0), // 72 dpi
    numbers(16, 1), // frames per sample
    Buffer.alloc(32), // no compressor name
    numbers(16, 24, 0xffff), // depth, no color table
    avcConfiguration(track),
  );
  return box(
    'stbl',
    fullBox('stsd', 0, numbers(32, 1), entry),
    fullBox('stts', 0, numbers(32, 1, frames.length, 1)),
    fullBox('stss', 0, numbers(32, 1, 1)),
    fullBox('stsc', 0, numbers(32, 1, 1, frames.length, 1)),
    fullBox('stsz', 0, numbers(32, 0, frames.length, ...frames.map((frame) => frame.length + 4))),
    fullBox('stco', 0, numbers(32, 1, firstSampleAt)),
  );
}

function movie(track: VideoTrack, firstSampleAt: number): Buffer {
  const { width, height, framesPerSecond, frames } = track;
  const duration = frames.length; // in ticks: the time scale equals the frame rate
  const media = box(
    'mdia',
    fullBox('mdhd', 0, numbers(32, 0, 0, framesPerSecond, duration), numbers(16, 0x55c4, 0)), // language "und"
    fullBox('hdlr', 0, numbers(32, 0), Buffer.from('vide'), Buffer.alloc(12), Buffer.from('video\0')),
    box(
      'minf',
      fullBox('vmhd', 1, Buffer.alloc(8)),
      box('dinf', fullBox('dref', 0, numbers(32, 1), fullBox('url ', 1))),
      sampleTable(track, firstSampleAt),
    ),
  );
  const header = fullBox(
    'tkhd',
    3, // track_enabled, track_in_movie
    numbers(32, 0, 0, 1, 0, duration, 0, 0, 0, 0),
    MATRIX,
    numbers(32, width * 0x10000, height * 0x10000),
  );
  return box(
    'moov',
    fullBox(
      'mvhd',
      0,
      numbers(32, 0, 0, framesPerSecond, duration, 0x10000),
      numbers(16, 0x100, 0, 0, 0, 0, 0), // volume, reserved
      MATRIX,
      Buffer.alloc(24),
      numbers(32, 2), // next track id
    ),
    box('trak', header, media),
  );
}

/** Writes the index first, so that players can start before they have the complete file. */
export function muxMp4(track: VideoTrack): Buffer {
  const brands = box('ftyp', Buffer.from('isom'), numbers(32, 0x200), Buffer.from('isomiso2avc1mp41'));
  // The index contains the offset of the first sample, which depends on the index's length. The length does not depend
  // on the offset, so it is measured with 0.
  const firstSampleAt = brands.length + movie(track, 0).length + 8;
  const samples = track.frames.flatMap((frame) => [numbers(32, frame.length), frame]);
  const bytes = samples.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([brands, movie(track, firstSampleAt), numbers(32, bytes), Buffer.from('mdat'), ...samples]);
}
