import type { OpenedImage } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { image } from '../../../test/videos-rig.ts';
import { limitImageBytes, ImageError, imageBase64, imageDataUrl } from './image-bytes.ts';

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('ab');
  yield new Uint8Array([0x63]);
}
const PICTURE: OpenedImage = { ...image('abc'), open: () => Promise.resolve(chunks()) };
const sized = (megabytes: number): OpenedImage => ({ ...image('a', 'reference'), bytes: megabytes * 1024 * 1024 });

function message(run: () => void): string | undefined {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  return undefined;
}

it('reads and encodes an image', async () => {
  expect(await imageBase64(PICTURE)).toBe('YWJj');
  expect(await imageDataUrl(PICTURE)).toBe('data:image/png;base64,YWJj');
});

it('fails if an image cannot be read', async () => {
  const gone = { ...PICTURE, open: () => Promise.reject(new Error('gone')) };
  await expect(imageBase64(gone)).rejects.toThrow(ImageError);
});

it('limits image sizes, each and together', () => {
  expect(message(() => limitImageBytes([sized(10), sized(10)], { each: 10 }))).toBeUndefined();
  expect(message(() => limitImageBytes([sized(10.1)], { each: 10 }))).toMatch(/reference .*10 MB/);
  expect(message(() => limitImageBytes([sized(6), sized(6)], { each: 10, all: 12 }))).toBeUndefined();
  expect(message(() => limitImageBytes([sized(6), sized(6.1)], { each: 10, all: 12 }))).toMatch(/12 MB/);
});
