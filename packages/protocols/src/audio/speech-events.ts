import type { SpeechWriter } from '../contracts/audio-protocol.ts';
import { sseData } from '../stream/sse.ts';
import { encodeSpeechUsage } from './audio-usage.ts';

/**
 * Encodes bytes as `speech.audio.delta` events. Each event holds complete 3-byte groups, so that clients can
 * concatenate the base64.
 */
export function openSpeechWriter(): SpeechWriter {
  let rest: Uint8Array = new Uint8Array();
  return {
    push: (bytes) => {
      const all = rest.byteLength === 0 ? bytes : Buffer.concat([rest, bytes]);
      const end = all.byteLength - (all.byteLength % 3);
      rest = all.subarray(end);
      return end === 0 ? '' : delta(all.subarray(0, end));
    },
    end: (usage) => {
      const last = rest.byteLength === 0 ? '' : delta(rest);
      return last + sseData({ type: 'speech.audio.done', ...(usage && { usage: encodeSpeechUsage(usage) }) });
    },
  };
}

function delta(bytes: Uint8Array): string {
  const audio = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return sseData({ type: 'speech.audio.delta', audio });
}
