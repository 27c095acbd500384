import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import {
  asFrames,
  filesIn,
  inRole,
  type DecodedImage,
  ImageInputSchema,
  readImage,
  readImageText,
  storedImage,
} from './input-image.ts';

const bare = { bareBase64: true };
const url = { source: { kind: 'url', url: 'https://pics.test/a.png' } } as const;

const images = (count: number): DecodedImage[] => Array.from({ length: count }, () => url);
const roles = (count: number) => asFrames(images(count), 'images').map(({ role }) => role);

describe('readImageText', () => {
  it('reads a URL', () => {
    expect(readImageText('https://pics.test/a.png', 'image')).toEqual(url);
    expect(readImageText('HTTP://pics.test', 'image', bare)).toEqual({
      source: { kind: 'url', url: 'http://pics.test/' },
    });
  });

  it.each([
    ['data:Image/PNG;base64,iVBORw0=', { mediaType: 'image/png', base64: 'iVBORw0=' }],
    ['DATA:image/png;name=a;BASE64,iVBO\r\nRw0=', { mediaType: 'image/png', base64: 'iVBORw0=' }],
    ['data:;base64,_-8=', { base64: '_-8=' }],
  ])('reads the data URL %j', (text, read) => {
    expect(readImageText(text, 'image')).toEqual({ ...read, param: 'image' });
  });

  it('reads bare base64 if the protocol allows it', () => {
    expect(readImageText('iVBO\nRw0=', 'image', bare)).toEqual({ base64: 'iVBORw0=', param: 'image' });
    expect(() => readImageText('iVBORw0=', 'image')).toThrow(refusal('image'));
  });

  it.each([
    'ftp://pics.test/a.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:pass@pics.test/a.png',
    'https://user@pics.test/a.png',
    'https://:pass@pics.test/a.png',
    'not a url',
    '//pics.test/a.png',
    `https://pics.test/${'a'.repeat(9_000)}`,
    'data:image/png,plain',
    'data:image/png;base64,',
    'data:image/png;base64,!!!',
    'data:image/png;base64',
    'data:',
    '',
  ])('rejects %.40s', (text) => {
    expect(() => readImageText(text, 'image[x]')).toThrow(refusal('image[x]'));
    expect(() => readImageText(text, 'image[x]', bare)).toThrow(refusal('image[x]'));
  });

  it('rejects more base64 than JSON should carry', () => {
    const long = 'A'.repeat(30_000_000);
    expect(() => readImageText(long, 'image', bare)).toThrow(refusal('image', 'payload_too_large'));
    expect(() => readImageText(`data:image/png;base64,${long}`, 'image')).toThrow(
      refusal('image', 'payload_too_large'),
    );
  });
});

describe('readImage', () => {
  it('reads a text, or an object with image_url', () => {
    expect(readImage('https://pics.test/a.png', 'image')).toEqual(url);
    expect(readImage({ image_url: 'https://pics.test/a.png' }, 'image')).toEqual(url);
  });

  it('reads the id of a file of the gateway', () => {
    const fileId = `file-${'0'.repeat(25)}`;
    expect(readImage({ file_id: fileId }, 'image')).toEqual({ fileId, param: 'image[file_id]' });
  });

  it.each([
    [{}, 'image[image_url]'],
    [{ image_url: '' }, 'image[image_url]'],
    [{ image_url: 'x' }, 'image[image_url]'],
    [{ file_id: 'file_1' }, 'image[file_id]'],
    [{ file_id: `file-${'0'.repeat(25)}`, image_url: 'https://pics.test/a.png' }, 'image[file_id]'],
  ])('rejects %j', (image, param) => {
    expect(() => readImage(image, 'image')).toThrow(refusal(param));
  });

  it.each([`file-${'0'.repeat(25)}`, '{"file_id":"file-0"}'])('names the field for %s, which is no URL', (text) => {
    const field = expect.stringContaining('Send the id of a file in image[file_id].');
    expect(() => readImage(text, 'image', { bareBase64: true })).toThrow(expect.objectContaining({ message: field }));
    expect(() => readImage({ image_url: text }, 'image')).toThrow(expect.objectContaining({ param: 'image' }));
  });

  it.each([[5], [['https://pics.test/a.png']], [{ image_url: 5 }], [{ file_id: 5 }], [null]])(
    'is not called for %j, which the schema rejects',
    (image) => {
      expect(ImageInputSchema.safeParse(image).success).toBe(false);
    },
  );
});

describe('files', () => {
  const file = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9, sha256: 'x' };
  const files = ['image[]', 'mask', 'image[1]', 'image'].map((field) => Object.assign({ field }, file));

  it('match the name of their field without brackets, in order', () => {
    const fields = filesIn({ fields: {}, files }, 'image').map(({ field }) => field);
    expect(fields).toEqual(['image[]', 'image[1]', 'image']);
  });

  it('become images without the name of their field', () => {
    expect(storedImage({ ...file, field: 'image' })).toEqual({ source: { kind: 'stored', ...file } });
  });
});

describe('roles', () => {
  it('follow from the number of images', () => {
    expect(roles(0)).toEqual([]);
    expect(roles(1)).toEqual(['first_frame']);
    expect(roles(2)).toEqual(['first_frame', 'last_frame']);
    expect(roles(3)).toEqual(['reference', 'reference', 'reference']);
  });

  it('allow at most sixteen images', () => {
    expect(roles(16)).toHaveLength(16);
    expect(() => roles(17)).toThrow(refusal('images'));
    expect(() => inRole('mask', images(17), 'mask')).toThrow(refusal('mask'));
  });
});
