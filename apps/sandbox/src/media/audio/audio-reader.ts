import { flacFacts } from './flac.ts';
import { hiddenText } from './hidden-text.ts';
import { mp3Seconds, mp3Text } from './mp3.ts';

export interface AudioInfo {
  mediaType: string;
  bytes: number;
  seconds?: number;
  /** The hidden text, if {@link createSpeech} generated the file. */
  text?: string;
}

const HEAD_BYTES = 1024 ** 2;

function typeOf(head: Buffer): string | undefined {
  const tag = (at: number, length = 4): string => head.subarray(at, at + length).toString('latin1');
  const [first = 0, second = 0] = head;
  if (tag(0) === 'RIFF' && tag(8) === 'WAVE') return 'audio/wav';
  if (tag(0) === 'fLaC') return 'audio/flac';
  if (tag(0) === 'OggS') return 'audio/ogg';
  if (tag(4) === 'ftyp') return 'audio/mp4';
  if (tag(0) === '\u001aE\u00df\u00a3') return 'audio/webm';
  // A frame starts with eleven sync bits and a nonzero layer. Layer 0 would be AAC.
  if (tag(0, 3) === 'ID3' || (first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0)) return 'audio/mpeg';
  return undefined;
}

function wavFacts(head: Buffer, bytes: number): Pick<AudioInfo, 'seconds' | 'text'> {
  let at = 12;
  let [bytesASecond, bits] = [0, 0];
  while (at + 8 <= head.length) {
    const kind = head.subarray(at, at + 4).toString('latin1');
    const length = head.readUInt32LE(at + 4);
    const content = head.subarray(at + 8, at + 8 + length);
    if (kind === 'fmt ' && content.length >= 16) {
      [bytesASecond, bits] = [content.readUInt32LE(8), content.readUInt16LE(14)];
    }
    if (kind === 'data') {
      // A streamed WAV file declares the maximum length, so the size of the file limits it.
      const played = Math.min(length, bytes - at - 8);
      const text = bits === 16 ? hiddenText(content) : undefined;
      return { ...(bytesASecond > 0 && { seconds: played / bytesASecond }), text };
    }
    at += 8 + length + (length % 2);
  }
  return {};
}

function factsOf(head: Buffer, bytes: number, mediaType: string): Pick<AudioInfo, 'seconds' | 'text'> {
  if (mediaType === 'audio/wav') return wavFacts(head, bytes);
  if (mediaType === 'audio/flac') return flacFacts(head);
  if (mediaType !== 'audio/mpeg') return {};
  return { seconds: mp3Seconds(head, bytes), text: mp3Text(head) };
}

/** Reads a file in constant memory, by storing only its head. */
export function createAudioReader() {
  const chunks: Buffer[] = [];
  let [bytes, missing] = [0, HEAD_BYTES];
  return {
    push(chunk: Buffer): void {
      bytes += chunk.length;
      if (missing <= 0) return;
      // A copy, because a subarray would keep the entire chunk in memory.
      chunks.push(Buffer.from(chunk.subarray(0, missing)));
      missing -= chunk.length;
    },
    /** Returns undefined if the file is not audio. */
    recorded(): AudioInfo | undefined {
      const head = Buffer.concat(chunks);
      const mediaType = typeOf(head);
      return mediaType === undefined ? undefined : { mediaType, bytes, ...factsOf(head, bytes, mediaType) };
    },
  };
}

export function inspectAudio(file: Buffer): AudioInfo | undefined {
  const reader = createAudioReader();
  reader.push(file);
  return reader.recorded();
}
