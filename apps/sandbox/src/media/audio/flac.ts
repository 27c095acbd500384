import { CHUNK_SAMPLES, SAMPLE_BYTES, SAMPLE_RATE, type Speech } from './create-speech.ts';

const NAME = 'TRANSCRIPT';
const VENDOR = 'sandbox';
const [STREAMINFO, VORBIS_COMMENT, LAST] = [0, 4, 0x80];
const BLOCK_HEAD = 4;

/** FLAC's CRCs are non-reflected, with initial value 0. */
function remainders(bits: 8 | 16, polynomial: number): (bytes: Buffer) => number {
  const top = 1 << (bits - 1);
  const mask = (1 << bits) - 1;
  const table = Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & top) === 0 ? sum << 1 : (sum << 1) ^ polynomial;
    return sum & mask;
  });
  return (bytes) => {
    let sum = 0;
    for (const byte of bytes) sum = ((sum << 8) & mask) ^ (table[(sum >> (bits - 8)) ^ byte] ?? 0);
    return sum;
  };
}

const crc8 = remainders(8, 0x07);
const crc16 = remainders(16, 0x8005);

function block(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(BLOCK_HEAD);
  head.writeUInt8(kind, 0);
  head.writeUIntBE(content.length, 1, 3);
  return Buffer.concat([head, content]);
}

function streamInfo(samples: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(CHUNK_SAMPLES, 0);
  info.writeUInt16BE(CHUNK_SAMPLES, 2);
  // Rate in 20 bits, channels minus one in 3, bits per sample minus one in 5, and the sample count in 36. A digest of
  // zeros means unknown.
  const packed = (BigInt(SAMPLE_RATE) << 44n) | (BigInt(SAMPLE_BYTES * 8 - 1) << 36n) | BigInt(samples);
  info.writeBigUInt64BE(packed, 10);
  return info;
}

function lengthAnd(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function comments(text: string): Buffer {
  return Buffer.concat([lengthAnd(VENDOR), Buffer.from([1, 0, 0, 0]), lengthAnd(`${NAME}=${text}`)]);
}

/** Encodes up to 31 bits in the style of UTF-8. */
function frameNumber(value: number): Buffer {
  if (value < 0x80) return Buffer.from([value]);
  const more: number[] = [];
  let rest = value;
  for (let capacity = 0x3f; rest > capacity; capacity >>= 1) {
    more.unshift(0x80 | (rest & 0x3f));
    rest >>= 6;
    if (rest <= capacity >> 1) break;
  }
  return Buffer.from([((0xff << (7 - more.length)) & 0xff) | rest, ...more]);
}

/** Each frame has one verbatim subframe. */
function frame(pcm: Buffer, number: number): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(pcm.length / SAMPLE_BYTES - 1);
  // Fixed block size, stored in 16 bits; 24 kHz; one channel with 16 bits per sample.
  const start = Buffer.concat([Buffer.from([0xff, 0xf8, 0x77, 0x08]), frameNumber(number), size]);
  const samples = Buffer.from(pcm).swap16();
  const body = Buffer.concat([start, Buffer.from([crc8(start), 0x02]), samples]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16BE(crc16(body));
  return Buffer.concat([body, sum]);
}

/** Yields uncompressed FLAC. A metadata comment contains the text. */
export function* flacChunks(speech: Speech): Generator<Buffer> {
  const info = block(STREAMINFO, streamInfo(speech.samples));
  yield Buffer.concat([Buffer.from('fLaC'), info, block(VORBIS_COMMENT | LAST, comments(speech.text))]);
  let number = 0;
  for (const chunk of speech.chunks()) {
    yield frame(chunk, number);
    number += 1;
  }
}

export function flacFacts(head: Buffer): { seconds?: number; text?: string } {
  const facts: { seconds?: number; text?: string } = {};
  let at = 4;
  while (at + BLOCK_HEAD <= head.length && head[at] !== 0xff) {
    const kind = (head[at] ?? 0) & ~LAST;
    const content = head.subarray(at + BLOCK_HEAD, at + BLOCK_HEAD + head.readUIntBE(at + 1, 3));
    if (kind === STREAMINFO && content.length >= 18) {
      const packed = content.readBigUInt64BE(10);
      const [rate, samples] = [Number(packed >> 44n), Number(packed & 0xf_ffff_ffffn)];
      if (rate > 0 && samples > 0) facts.seconds = samples / rate;
    }
    if (kind === VORBIS_COMMENT) {
      const start = content.indexOf(`${NAME}=`);
      const length = start < 4 ? 0 : content.readUInt32LE(start - 4);
      if (length > 0) facts.text = content.subarray(start + NAME.length + 1, start + length).toString();
    }
    at += BLOCK_HEAD + content.length;
  }
  return facts;
}
