import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const PACK_ABOVE_BYTES = 8 * 1024;
/** No JSON starts with this byte. */
const PACKED = Buffer.of(0x01);
/** Three quarters of the best ratio in a fiftieth of its time. */
const QUALITY = 4;

/** JSON, compressed off the event loop above 8 KiB. */
export async function packJson(value: unknown): Promise<Buffer> {
  const plain = Buffer.from(JSON.stringify(value));
  if (plain.length <= PACK_ABOVE_BYTES) return plain;
  const packed = await compress(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  return Buffer.concat([PACKED, packed]);
}

/** @throws if {@link packJson} did not write the value */
export async function unpackJson(packed: Buffer): Promise<unknown> {
  const plain = packed[0] === PACKED[0] ? await decompress(packed.subarray(1)) : packed;
  return JSON.parse(plain.toString());
}
