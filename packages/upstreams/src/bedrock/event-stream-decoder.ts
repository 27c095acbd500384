import { crc32 } from 'node:zlib';

/** One message of `application/vnd.amazon.eventstream`. */
export interface EventStreamMessage {
  /** The headers of type string, e.g. `:event-type`. All others are checked and skipped. */
  headers: Readonly<Record<string, string>>;
  payload: Buffer;
}

/** The stream is not a valid event stream. */
class EventStreamError extends Error {
  override readonly name = 'EventStreamError';
}

const PRELUDE = 12;
const CHECKSUM = 4;
/** Limits of the format (AWS, "Event stream encoding"). */
const MAX_MESSAGE = 16 * 1024 * 1024;
const MAX_HEADERS = 128 * 1024;
/** The header type of strings. */
const STRING = 7;

/** Lengths of header values by type. Types 6 and 7 declare their length in two bytes. */
const FIXED: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes an event stream in chunks of any size:
 *
 *     total length (4) · headers length (4) · CRC32 of both (4) · headers · payload · CRC32 of all before (4)
 *
 * The checksum of the lengths is verified before a message is buffered, so a broken length allocates nothing. At most
 * one message is buffered.
 */
export class EventStreamDecoder {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Length of the message at the start of the buffer, once its prelude is complete. */
  #expected: number | undefined;

  /** Whether the buffer contains an incomplete message. */
  get isPending(): boolean {
    return this.#length > 0;
  }

  /** Returns the messages that this chunk completes. @throws EventStreamError */
  push(chunk: Uint8Array): EventStreamMessage[] {
    this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#length += chunk.byteLength;
    const messages: EventStreamMessage[] = [];
    while (this.#length >= PRELUDE) {
      this.#expected ??= readPrelude(this.#head(PRELUDE));
      if (this.#length < this.#expected) break;
      messages.push(readMessage(this.#take(this.#expected)));
      this.#expected = undefined;
    }
    return messages;
  }

  /** Returns the first bytes of the buffer, without removing them. */
  #head(length: number): Buffer {
    const [first] = this.#chunks;
    if (first === undefined || first.length < length) this.#join();
    return (this.#chunks[0] ?? Buffer.alloc(0)).subarray(0, length);
  }

  #take(length: number): Buffer {
    const taken = this.#head(length);
    const rest = this.#chunks[0]?.subarray(length) ?? Buffer.alloc(0);
    this.#chunks = rest.length > 0 ? [rest, ...this.#chunks.slice(1)] : this.#chunks.slice(1);
    this.#length -= length;
    return taken;
  }

  #join(): void {
    this.#chunks = [Buffer.concat(this.#chunks)];
  }
}

/** Returns the total length of the message. */
function readPrelude(prelude: Buffer): number {
  const total = prelude.readUInt32BE(0);
  const headers = prelude.readUInt32BE(4);
  if (crc32(prelude.subarray(0, 8)) !== prelude.readUInt32BE(8)) throw new EventStreamError('wrong prelude checksum');
  if (total > MAX_MESSAGE || headers > MAX_HEADERS) throw new EventStreamError('message too long');
  if (total < PRELUDE + headers + CHECKSUM) throw new EventStreamError('message shorter than its headers');
  return total;
}

function readMessage(message: Buffer): EventStreamMessage {
  const end = message.length - CHECKSUM;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) throw new EventStreamError('wrong checksum');
  const headersEnd = PRELUDE + message.readUInt32BE(4);
  const headers = readHeaders(message.subarray(PRELUDE, headersEnd));
  return { headers, payload: message.subarray(headersEnd, end) };
}

function readHeaders(bytes: Buffer): Record<string, string> {
  // A null prototype, because the stream names the headers.
  const headers = Object.create(null) as Record<string, string>;
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new EventStreamError('header too short');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const name = textOf(take(take(1).readUInt8()));
    const type = take(1).readUInt8();
    const length = type === STRING || type === 6 ? take(2).readUInt16BE() : FIXED[type];
    if (name === '' || length === undefined) throw new EventStreamError('invalid header');
    const value = take(length);
    if (type === STRING) headers[name] = textOf(value);
  }
  return headers;
}

function textOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new EventStreamError('header is not UTF-8');
  }
}
