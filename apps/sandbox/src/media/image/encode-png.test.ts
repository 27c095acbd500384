import { crc32, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { encodePng } from './encode-png.ts';

function chunksOf(png: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end));
    at = end + 4;
  }
  return chunks;
}

it('encodePng writes signature, size, palette and every pixel', () => {
  const pixels = Uint8Array.of(0, 1, 1, 1, 0, 0);
  const palette = [
    [255, 0, 0],
    [1, 2, 3],
  ] as const;
  const png = encodePng({ width: 3, height: 2, palette, pixels });
  expect(png.toString('latin1', 0, 8)).toBe('\u0089PNG\r\n\u001A\n');
  const chunks = chunksOf(png);
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  expect(chunks.get('IHDR')?.toJSON().data).toEqual([0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]);
  expect(chunks.get('PLTE')?.toJSON().data).toEqual([255, 0, 0, 1, 2, 3]);
  expect([...inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))]).toEqual([0, 0, 1, 1, 0, 1, 0, 0]);
});
