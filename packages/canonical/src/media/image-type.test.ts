import { describe, expect, it } from 'vitest';
import { imageType } from './image-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('imageType', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n\0\0\0\x0d', 'image/png'],
    ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
    ['GIF89a\x01\0\x01\0\x80\0', 'image/gif'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x1cftypavif\0\0', 'image/avif'],
    ['\0\0\0\x1cftypheic\0\0', 'image/heic'],
  ])('detects %j as %s', (head, type) => {
    expect(imageType(bytes(head))).toBe(type);
  });

  it.each(['', 'GIF', '<svg xmlns="http://…">', '%PDF-1.7 and more', '\0\0\0\x18ftypisom'])(
    'detects no image in %j',
    (head) => {
      expect(imageType(bytes(head))).toBeUndefined();
    },
  );
});
