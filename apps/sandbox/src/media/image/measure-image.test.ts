import { describe, expect, it } from 'vitest';
import { measureImage } from './measure-image.ts';
import { renderImage } from './render-image.ts';

/** The head of a JPEG file: start marker, APP0 segment, Huffman table, and a progressive frame of 640 × 480 pixels. */
const JPEG = Buffer.from('ffd8ffe00004abcdffc40003aaffc200110801e002800301220002110103110100', 'hex');

describe('measureImage', () => {
  it('measures a PNG and a JPEG', () => {
    const png = renderImage({ prompt: 'kite', width: 30, height: 20 });
    expect(measureImage(png)).toEqual({ mediaType: 'image/png', width: 30, height: 20 });
    expect(measureImage(JPEG)).toEqual({ mediaType: 'image/jpeg', width: 640, height: 480 });
  });

  it.each([
    ['image/webp', '52494646000000005745425056503820000000000000009d012a80026801', 640, 360],
    ['image/webp', '5249464600000000574542505650384c000000002f7fc2590000000000', 640, 360],
    ['image/webp', '524946460000000057454250565038580a000000000000007f0200670100', 640, 360],
    ['image/bmp', '424d000000000000000000000000280000008002000098feffff', 640, 360],
    ['image/gif', '474946383961800268010000', 640, 360],
  ] as const)('measures %s if accepted', (mediaType, hex, width, height) => {
    const bytes = Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(8)]);
    expect(measureImage(bytes, [mediaType])).toEqual({ mediaType, width, height });
    expect(measureImage(bytes)).toBeUndefined();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('data:image/png;base64,AAAA')],
    ['half a signature', Buffer.from([0x89, 0x50])],
    ['a PNG without a header', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['a JPEG without a frame', JPEG.subarray(0, 12)],
    ['an image without pixels', Buffer.concat([JPEG.subarray(0, 18), Buffer.alloc(20)])],
  ])('finds no image in %s', (_name, bytes) => {
    expect(measureImage(bytes)).toBeUndefined();
  });
});
