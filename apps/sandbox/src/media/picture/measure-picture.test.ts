import { describe, expect, it } from 'vitest';
import { measurePicture } from './measure-picture.ts';
import { renderPicture } from './render-picture.ts';

/** The head of a JPEG: start, an APP0 segment, a Huffman table, a progressive frame of 640 × 480. */
const JPEG = Buffer.from('ffd8ffe00004abcdffc40003aaffc200110801e002800301220002110103110100', 'hex');

describe('measurePicture', () => {
  it('measures a PNG and a JPEG', () => {
    const png = renderPicture({ prompt: 'kite', width: 30, height: 20 });
    expect(measurePicture(png)).toEqual({ mediaType: 'image/png', width: 30, height: 20 });
    expect(measurePicture(JPEG)).toEqual({ mediaType: 'image/jpeg', width: 640, height: 480 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('data:image/png;base64,AAAA')],
    ['half a signature', Buffer.from([0x89, 0x50])],
    ['a PNG without a header', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['a JPEG without a frame', JPEG.subarray(0, 12)],
    ['a picture without pixels', Buffer.concat([JPEG.subarray(0, 18), Buffer.alloc(20)])],
  ])('finds no picture in %s', (_name, bytes) => {
    expect(measurePicture(bytes)).toBeUndefined();
  });
});
