import { UnsupportedParamsError, type ImageRole } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { videoParams } from '../../../test/media-rig.ts';
import { image } from '../../../test/videos-rig.ts';
import { contentItems, refuseMixedImages } from './content-items.ts';

it('puts the prompt first, then the images in order, each with its role', async () => {
  const images = [image('A', 'last_frame'), image('B', 'first_frame'), image('C', 'reference')];
  expect(await contentItems('a kite', images)).toEqual([
    { type: 'text', text: 'a kite' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' }, role: 'last_frame' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,Qg==' }, role: 'first_frame' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,Qw==' }, role: 'reference_image' },
  ]);
  expect(await contentItems(undefined, [])).toEqual([]);
});

it.each([
  [['first_frame', 'last_frame'], true],
  [['reference', 'reference'], true],
  [[], true],
  [['reference', 'last_frame'], false],
  [['first_frame', 'reference'], false],
] as [ImageRole[], boolean][])('%o together: %s', (roles, fine) => {
  const { request } = videoParams({}, { images: roles.map((role) => image('A', role)) });
  if (fine) refuseMixedImages(request);
  else expect(() => refuseMixedImages(request)).toThrow(UnsupportedParamsError);
});
