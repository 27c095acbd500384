import type { OpenedImage } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { picture } from '../../test/videos-rig.ts';
import { limitPictureBytes, PictureError, pictureBase64, pictureDataUrl } from './picture-bytes.ts';

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('ab');
  yield new Uint8Array([0x63]);
}
const PICTURE: OpenedImage = { ...picture('abc'), open: () => Promise.resolve(pieces()) };
const sized = (megabytes: number): OpenedImage => ({ ...picture('a', 'reference'), bytes: megabytes * 1024 * 1024 });

function message(run: () => void): string | undefined {
  try {
    run();
  } catch (error) {
    return String(error);
  }
  return undefined;
}

it('a picture is read whole, and spelled as the vendor takes it', async () => {
  expect(await pictureBase64(PICTURE)).toBe('YWJj');
  expect(await pictureDataUrl(PICTURE)).toBe('data:image/png;base64,YWJj');
});

it('a picture that cannot be read fails', async () => {
  const gone = { ...PICTURE, open: () => Promise.reject(new Error('gone')) };
  await expect(pictureBase64(gone)).rejects.toThrow(PictureError);
});

it('pictures are held to their size, one by one and together', () => {
  expect(message(() => limitPictureBytes([sized(10), sized(10)], { each: 10 }))).toBeUndefined();
  expect(message(() => limitPictureBytes([sized(10.1)], { each: 10 }))).toMatch(/reference .*10 MB/);
  expect(message(() => limitPictureBytes([sized(6), sized(6)], { each: 10, all: 12 }))).toBeUndefined();
  expect(message(() => limitPictureBytes([sized(6), sized(6.1)], { each: 10, all: 12 }))).toMatch(/12 MB/);
});
