import { SAMPLE_RATE, type Speech } from './create-speech.ts';

/** A silent MPEG-1 layer III frame: 32 kbit/s, 44.1 kHz, mono. */
const SILENCE = Buffer.concat([Buffer.from([0xff, 0xfb, 0x10, 0xc4]), Buffer.alloc(100)]);
const FRAME_SECONDS = 1152 / 44_100;
const FRAMES_A_CHUNK = 64;
const NAME = 'transcript';
const FRAME_HEAD = 10;
const TAG_HEAD = 10;

/** Encodes seven bits per byte in four bytes, so that no length looks like a frame sync. */
function syncSafe(value: number): Buffer {
  return Buffer.from([(value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, value & 127]);
}

function readSyncSafe(bytes: Buffer, at: number): number {
  return bytes.subarray(at, at + 4).reduce((sum, byte) => (sum << 7) | (byte & 127), 0);
}

function tagOf(text: string): Buffer {
  const content = Buffer.concat([Buffer.from([3]), Buffer.from(`${NAME}\0${text}`)]);
  const frame = Buffer.concat([Buffer.from('TXXX'), syncSafe(content.length), Buffer.alloc(2), content]);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0]), syncSafe(frame.length), frame]);
}

/** Yields silence, because there is no MP3 encoder. The duration is correct, and the tag contains the text. */
export function* mp3Chunks(speech: Speech): Generator<Buffer> {
  yield tagOf(speech.text);
  const natural = Math.ceil(speech.samples / SAMPLE_RATE / FRAME_SECONDS);
  const frames = speech.minBytes > 0 ? Math.ceil(speech.minBytes / SILENCE.length) : natural;
  const chunk = Buffer.concat(Array.from({ length: FRAMES_A_CHUNK }, () => SILENCE));
  for (let rest = frames; rest > 0; rest -= FRAMES_A_CHUNK) {
    yield rest >= FRAMES_A_CHUNK ? chunk : chunk.subarray(0, rest * SILENCE.length);
  }
}

function tagLength(head: Buffer): number {
  return head.subarray(0, 3).toString('latin1') === 'ID3' ? TAG_HEAD + readSyncSafe(head, 6) : 0;
}

export function mp3Text(head: Buffer): string | undefined {
  const end = Math.min(tagLength(head), head.length);
  let at = TAG_HEAD;
  while (at + FRAME_HEAD <= end) {
    const length = readSyncSafe(head, at + 4);
    const content = head.subarray(at + FRAME_HEAD, at + FRAME_HEAD + length);
    const isHiddenText = head.subarray(at, at + 4).toString('latin1') === 'TXXX' && content[0] === 3;
    const [name, ...text] = isHiddenText ? content.subarray(1).toString().split('\0') : [];
    if (name === NAME && content.length === length) return text.join('\0');
    at += FRAME_HEAD + length;
  }
  return undefined;
}

const KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES = [44_100, 48_000, 32_000];

/** Assumes a constant bit rate. Returns undefined for other kinds of MPEG audio. */
export function mp3Seconds(head: Buffer, bytes: number): number | undefined {
  const start = tagLength(head);
  const [sync = 0, kind = 0, rates = 0] = head.subarray(start, start + 3);
  const [kilobits = 0, rate] = [KILOBITS[rates >> 4], RATES[(rates >> 2) & 3]];
  // The values 0xfa and 0xfb identify MPEG-1 layer III.
  if (sync !== 0xff || (kind | 1) !== 0xfb || kilobits === 0 || rate === undefined) return undefined;
  const frame = Math.floor((144_000 * kilobits) / rate);
  return (((bytes - start) / frame) * 1152) / rate;
}
