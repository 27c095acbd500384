import { describe, expect, it } from 'vitest';
import { pictureUrl } from '../../../test/wire-caller.ts';
import { ArkContent, type ArkScene, readScene, textOf } from './ark-content.ts';
import { arkModelOf } from './ark-models.ts';

const LITE = 'seedance-1-0-lite-i2v';
const PRO = 'seedance-1-0-pro';
const SECOND = 'seedance-2-0';
const url = 'https://example.com/a';

const text = { type: 'text', text: 'kite' };
const image = (role?: string, address = url) => ({
  type: 'image_url',
  image_url: { url: address },
  ...(role !== undefined && { role }),
});
const video = { type: 'video_url', video_url: { url }, role: 'reference_video' };
const audio = { type: 'audio_url', audio_url: { url }, role: 'reference_audio' };
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

function read(model: string, ...content: object[]): ArkScene {
  const rules = arkModelOf(model);
  if (rules === undefined) throw new Error(`there is no ${model}`);
  return readScene(ArkContent.parse(content), rules);
}

describe('readScene', () => {
  it('reads a text and pictures, in order', () => {
    const first = pictureUrl(400, 300);
    expect(read(PRO, text, image('first_frame', first), image('last_frame'))).toEqual({
      prompt: 'kite',
      inputs: [
        { field: 'first_frame', mediaType: 'image/png', bytes: expect.any(Number), sha256: expect.any(String) },
        { field: 'last_frame', reference: url },
      ],
      facts: { mediaType: 'image/png', width: 400, height: 300 },
      hasPicture: true,
    });
  });

  it('takes a lone picture without a role for the first frame, and no text at all', () => {
    expect(read(PRO, image())).toMatchObject({ prompt: '', inputs: [{ field: 'first_frame' }] });
  });

  it.each([
    [SECOND, [text, image('reference_image'), video, audio]],
    [SECOND, [text, ...times(9, image('reference_image')), ...times(3, video), ...times(3, audio)]],
    [LITE, [text, ...times(4, image('reference_image'))]],
    [PRO, [text, image(undefined, 'asset://1')]],
  ])('%s takes what it is made for', (model, content) => {
    expect(read(model, ...content).inputs).toHaveLength(content.length - 1);
  });

  it.each([
    ['two texts', PRO, [text, text]],
    ['two pictures without roles', PRO, [text, image(), image()]],
    ['two first frames', PRO, [text, image('first_frame'), image('first_frame')]],
    ['a last frame alone', PRO, [text, image('last_frame')]],
    ['frames beside references', SECOND, [text, image('first_frame'), image('reference_image')]],
    [
      'a last frame of a model that has none',
      'seedance-1-0-pro-fast',
      [text, image('first_frame'), image('last_frame')],
    ],
    ['a picture of a model of words', 'seedance-1-0-lite-t2v', [text, image()]],
    ['references of a model without', PRO, [text, image('reference_image')]],
    ['a film as reference of a model without', LITE, [text, image('reference_image'), video]],
    ['too many references', LITE, [text, ...times(5, image('reference_image'))]],
    ['a sound alone', SECOND, [text, audio]],
    ['words alone, of a model of pictures', LITE, [text]],
    ['no picture', PRO, [text, image(undefined, 'data:image/png;base64,a2l0ZQ==')]],
    ['a small picture', PRO, [text, image(undefined, pictureUrl(299, 300))]],
    ['a wide picture', PRO, [text, image(undefined, pictureUrl(760, 300))]],
    ['a film without an address', SECOND, [text, { ...video, video_url: { url: 'kite.mp4' } }]],
  ])('refuses %s', (_name, model, content) => {
    expect(() => read(model, ...content)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

it.each([
  [{ content: [image(), text] }, 'kite'],
  [{ content: 'kite' }, ''],
  [{ content: [null, { text: 7 }] }, ''],
  [undefined, ''],
])('textOf finds the text of %j', (body, found) => {
  expect(textOf(body)).toBe(found);
});
