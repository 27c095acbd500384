import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeBytes, describeReference } from './describe-input.ts';

const bytes = Buffer.from('picture');
const sha256 = createHash('sha256').update(bytes).digest('hex');

it('describeBytes measures bytes without storing them', () => {
  expect(describeBytes('image', bytes)).toEqual({ field: 'image', bytes: 7, sha256 });
});

it('describeReference measures a data URL and records any other reference', () => {
  const dataUrl = `data:image/png;base64,${bytes.toString('base64')}`;
  expect(describeReference('image', dataUrl)).toEqual({ field: 'image', mediaType: 'image/png', bytes: 7, sha256 });
  const reference = 'https://example.com/a.png';
  expect(describeReference('image', reference)).toEqual({ field: 'image', reference });
});
