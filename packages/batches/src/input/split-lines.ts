/** A line of a stream, without its line break. */
export interface RawLine {
  /** From 1. */
  number: number;
  /** Undefined if the line exceeds the maximum. Its bytes were not buffered. */
  bytes: Buffer | undefined;
  /** The offset of the line's first byte, and of the byte after its line break. */
  start: number;
  end: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Splits a stream into lines, of which it buffers only one. The last line may end without a line break.
 * @param start the offset of the first byte. @param first the number of the first line
 */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { start = 0, first = 1 } = {},
): AsyncGenerator<RawLine> {
  let [number, lineStart, offset] = [first, start, start];
  let parts: Buffer[] = [];
  let length = 0;
  const add = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > maxBytes + 1) parts = [];
    else if (chunk.length > 0) parts.push(chunk);
  };
  const take = (end: number): RawLine => {
    const bytes = withoutReturn(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    const line = { number, bytes: length <= maxBytes + 1 && bytes.length <= maxBytes ? bytes : undefined };
    const taken = { ...line, start: lineStart, end };
    [parts, length, number, lineStart] = [[], 0, number + 1, end];
    return taken;
  };
  for await (const chunk of source) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let at = buffer.indexOf(NEWLINE); at !== -1; at = buffer.indexOf(NEWLINE, from)) {
      add(buffer.subarray(from, at));
      from = at + 1;
      yield take(offset + from);
    }
    add(buffer.subarray(from));
    offset += buffer.length;
  }
  if (length > 0) yield take(offset);
}

function withoutReturn(bytes: Buffer = Buffer.alloc(0)): Buffer {
  return bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
}
