const FEED = 0x0a;
const RETURN = 0x0d;

/** Splits a stream of server-sent events into complete events without changing a byte. */
export interface EventFrames {
  /** Returns the events that this chunk completes, each with its blank line. */
  push(bytes: Uint8Array): Uint8Array[];
  /** Returns the incomplete last event. */
  end(): Uint8Array;
  pendingBytes(): number;
}

/** `\n`, `\r\n`, and `\r` end lines, as the WHATWG standard requires. */
export function splitEventFrames(): EventFrames {
  /** Chunks of the incomplete event, joined when it is complete. */
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  /** Whether the current line has no bytes yet. A blank line at the start does not end an event. */
  let isBlank = false;
  let afterReturn = false;

  function buffer(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    rest.push(bytes);
    restBytes += bytes.byteLength;
  }

  function take(): Uint8Array {
    const [only = new Uint8Array()] = rest;
    const event = rest.length > 1 ? Buffer.concat(rest) : only;
    rest = [];
    restBytes = 0;
    return event;
  }

  return {
    push: (bytes) => {
      const frames: Uint8Array[] = [];
      let start = 0;
      for (let index = 0; index < bytes.byteLength; index += 1) {
        const byte = bytes[index];
        if (byte !== FEED && byte !== RETURN) {
          isBlank = false;
          afterReturn = false;
          continue;
        }
        // The second half of a CRLF line ending.
        if (byte === FEED && afterReturn) {
          afterReturn = false;
          continue;
        }
        afterReturn = byte === RETURN;
        if (isBlank) {
          // Includes the line feed of a CRLF if it is in the same chunk.
          const end = afterReturn && bytes[index + 1] === FEED ? index + 2 : index + 1;
          buffer(bytes.subarray(start, end));
          frames.push(take());
          start = end;
        }
        isBlank = true;
      }
      buffer(bytes.subarray(start));
      return frames;
    },
    end: take,
    pendingBytes: () => restBytes,
  };
}
