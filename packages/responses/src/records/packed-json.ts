import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, constants, createBrotliCompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);

const PACK_ABOVE_BYTES = 8 * 1024;
/** Marks a compressed value. JSON never starts with this byte. */
const PACKED = Buffer.of(0x01);
/** Reaches 75 % of the maximum quality's compression in 2 % of the time. */
const QUALITY = 4;

/** Number of characters that are encoded at once. */
const CHUNK = 1024 * 1024;

/** Encodes a value as JSON. Above 8 KiB, it is compressed outside the event loop. */
export async function packJson(value: unknown): Promise<Buffer> {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes <= PACK_ABOVE_BYTES) return Buffer.from(text);
  const encoder = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
  });
  const packed = [PACKED];
  await pipeline(chunksOf(text), encoder, async (chunks) => {
    for await (const chunk of chunks) packed.push(chunk);
  });
  return Buffer.concat(packed);
}

/** Encodes a text in chunks, because a response can have 60 MB. The text is well-formed, as JSON always is. */
function* chunksOf(text: string): Generator<Buffer> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + CHUNK;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield Buffer.from(text.slice(at, end));
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** @throws if the value was not written by {@link packJson} */
export async function unpackJson(packed: Buffer): Promise<unknown> {
  const plain = packed[0] === PACKED[0] ? await decompress(packed.subarray(1)) : packed;
  return JSON.parse(plain.toString());
}
