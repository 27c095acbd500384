import { expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { IMAGE_INPUT_FIELDS, readImages } from './images.ts';

const stored = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9, sha256: 'x' };
const files = (...fields: string[]) => ({ fields: {}, files: fields.map((field) => Object.assign({ field }, stored)) });
const url = 'https://pics.test/a.png';

it('reads every field that may be a file', () => {
  for (const field of IMAGE_INPUT_FIELDS) expect(readImages({}, files(field))).toHaveLength(1);
  expect(readImages({}, files('other'))).toEqual([]);
});

it('puts the mask last', () => {
  const roles = readImages({ image: url, mask: url }, files()).map(({ role }) => role);
  expect(roles).toEqual(['reference', 'mask']);
});

it('rejects images or masks in two fields', () => {
  expect(() => readImages({ image: url, images: [url] }, files())).toThrow(refusal('images'));
  expect(() => readImages({ image: url }, files('images[]'))).toThrow(refusal('image'));
  expect(() => readImages({ mask: url }, files('mask'))).toThrow(refusal('mask'));
});
