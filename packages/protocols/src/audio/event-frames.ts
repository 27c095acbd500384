const FEED = 0x0a;
const RETURN = 0x0d;

/** Cuts a stream of server-sent events into whole events, byte by byte as they came. */
export interface EventFrames {
  /** Gives the events that are whole after this piece, each with the blank line that ends it. */
  push(bytes: Uint8Array): Uint8Array[];
  /** Gives what no blank line has ended. Empty: nothing is left. */
  end(): Uint8Array;
  /** Bytes that wait for the rest of their event. */
  pendingBytes(): number;
}

/** Makes what cuts a stream; `\n`, `\r\n` and `\r` end lines, as the WHATWG standard has it. */
export function cutEventFrames(): EventFrames {
  /** Pieces of an event that has not ended, joined when it has. */
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  /** Whether the line that is read has nothing in it yet; a blank first line ends no event. */
  let isBlank = false;
  let afterReturn = false;

  function keep(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    rest.push(bytes);
    restBytes += bytes.byteLength;
  }

  function take(): Uint8Array {
    const [only = new Uint8Array()] = rest;
    const whole = rest.length > 1 ? Buffer.concat(rest) : only;
    rest = [];
    restBytes = 0;
    return whole;
  }

  return {
    push: (bytes) => {
      const frames: Uint8Array[] = [];
      let start = 0;
      for (let at = 0; at < bytes.byteLength; at += 1) {
        const byte = bytes[at];
        if (byte !== FEED && byte !== RETURN) {
          isBlank = false;
          afterReturn = false;
          continue;
        }
        // The second half of a line's end.
        if (byte === FEED && afterReturn) {
          afterReturn = false;
          continue;
        }
        afterReturn = byte === RETURN;
        if (isBlank) {
          // The feed after a last return belongs to it, where it is there already.
          const end = afterReturn && bytes[at + 1] === FEED ? at + 2 : at + 1;
          keep(bytes.subarray(start, end));
          frames.push(take());
          start = end;
        }
        isBlank = true;
      }
      keep(bytes.subarray(start));
      return frames;
    },
    end: take,
    pendingBytes: () => restBytes,
  };
}
