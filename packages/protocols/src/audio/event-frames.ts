const FEED = 0x0a;
const RETURN = 0x0d;

/** Splits a stream of server-sent events into complete events without changing a byte. */
export interface EventFrames {
  /** Returns the events that this chunk completes, each with its blank line. */
  push(bytes: Uint8Array): Uint8Array[];
  /** Returns an incomplete last event; empty if there is none. */
  end(): Uint8Array;
  /** Bytes of the incomplete event. */
  pendingBytes(): number;
}

/** Creates a splitter. `\n`, `\r\n`, and `\r` end lines, as the WHATWG standard requires. */
export function cutEventFrames(): EventFrames {
  /** Chunks of the incomplete event, joined when it is complete. */
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  /** Whether the current line is empty so far; a blank first line ends no event. */
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
        // The second half of a line ending.
        if (byte === FEED && afterReturn) {
          afterReturn = false;
          continue;
        }
        afterReturn = byte === RETURN;
        if (isBlank) {
          // A line feed after a carriage return belongs to it, if it is in this chunk.
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
