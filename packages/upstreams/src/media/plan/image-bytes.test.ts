import type { OpenedImage } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { image } from '../../../test/videos-rig.ts';
import { ImageError, imageBase64, imageDataUrl } from './image-bytes.ts';

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('ab');
  yield new Uint8Array([0x63]);
}
const IMAGE: OpenedImage = { ...image('abc'), open: () => Promise.resolve(chunks()) };

it('reads and encodes an image', async () => {
  expect(await imageBase64(IMAGE)).toBe('YWJj');
  expect(await imageDataUrl(IMAGE)).toBe('data:image/png;base64,YWJj');
});

it('fails if an image cannot be read', async () => {
  const unreadable = { ...IMAGE, open: () => Promise.reject(new Error('gone')) };
  await expect(imageBase64(unreadable)).rejects.toThrow(ImageError);
});
