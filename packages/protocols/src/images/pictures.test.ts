import { expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { IMAGE_PICTURE_FIELDS, readPictures } from './pictures.ts';

const stored = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9 };
const files = (...fields: string[]) => ({ fields: {}, files: fields.map((field) => Object.assign({ field }, stored)) });
const url = 'https://pics.test/a.png';

it('reads every field that may be a file', () => {
  for (const field of IMAGE_PICTURE_FIELDS) expect(readPictures({}, files(field))).toHaveLength(1);
  expect(readPictures({}, files('other'))).toEqual([]);
});

it('puts the mask last', () => {
  const roles = readPictures({ image: url, mask: url }, files()).map(({ role }) => role);
  expect(roles).toEqual(['reference', 'mask']);
});

it('refuses one thing told twice', () => {
  expect(() => readPictures({ image: url, images: [url] }, files())).toThrow(refusal('images'));
  expect(() => readPictures({ image: url }, files('images[]'))).toThrow(refusal('image'));
  expect(() => readPictures({ mask: url }, files('mask'))).toThrow(refusal('mask'));
});
