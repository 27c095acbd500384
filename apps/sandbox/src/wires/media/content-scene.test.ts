import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { WireError } from '../../http/wire-error.ts';
import {
  contentTextIn,
  readScene,
  type Scene,
  SceneContent,
  type SceneModel,
  type SceneVendor,
} from './content-scene.ts';

const FRAMED: SceneModel = { frames: 2, references: { images: 0, videos: 0, audios: 0 }, needsImage: false };
const FIRST: SceneModel = { ...FRAMED, frames: 1 };
const TEXT_ONLY: SceneModel = { ...FRAMED, frames: 0 };
const FULL: SceneModel = { ...FRAMED, references: { images: 2, videos: 1, audios: 1 } };
const IMAGE_RULES: SceneModel = { ...FULL, references: { images: 2, videos: 0, audios: 0 }, needsImage: true };

const vendor: SceneVendor = {
  images: {
    encodings: ['data-url'],
    schemes: ['asset://'],
    types: ['image/png'],
    maxBytes: 1024 ** 2,
    minSide: 100,
    maxRatio: 2.5,
  },
  refuse: (problem) => new WireError(400, problem, () => ({})),
};

const url = 'https://example.com/a';
const text = { type: 'text', text: 'kite' };
const image = (role?: string, address = url) => ({
  type: 'image_url',
  image_url: { url: address },
  ...(role !== undefined && { role }),
});
const video = (address = url) => ({ type: 'video_url', video_url: { url: address }, role: 'reference_video' });
const audio = (address = url) => ({ type: 'audio_url', audio_url: { url: address }, role: 'reference_audio' });

function read(model: SceneModel, ...content: object[]): Scene {
  return readScene(SceneContent.parse(content), model, vendor);
}

describe('readScene', () => {
  it('reads a text and images, in order, and the size of the first', () => {
    const seen = imageUrl(120, 100);
    expect(read(FRAMED, text, image('first_frame', seen), image('last_frame', imageUrl(100, 100)))).toEqual({
      prompt: 'kite',
      inputs: [
        { field: 'first_frame', mediaType: 'image/png', bytes: expect.any(Number), sha256: expect.any(String) },
        { field: 'last_frame', mediaType: 'image/png', bytes: expect.any(Number), sha256: expect.any(String) },
      ],
      facts: { mediaType: 'image/png', width: 120, height: 100 },
      isFramed: true,
      hasImage: true,
    });
    expect(read(FRAMED, image('first_frame'), image('last_frame', seen)).facts).toBeUndefined();
  });

  it('treats a single image without a role as the first frame, and accepts no text at all', () => {
    expect(read(FIRST, image())).toMatchObject({ prompt: '', isFramed: true, inputs: [{ field: 'first_frame' }] });
  });

  it('reads references, which do not set the ratio', () => {
    const scene = read(
      FULL,
      text,
      image('reference_image'),
      image('reference_image'),
      video(),
      audio('data:audio/wav;a'),
    );
    expect(scene).toMatchObject({ isFramed: false, hasImage: true });
    expect(scene.inputs.map(({ field }) => field)).toEqual([
      'reference_image',
      'reference_image',
      'reference_video',
      'reference_audio',
    ]);
    expect(read(FULL, video('asset://1')).hasImage).toBe(false);
  });

  it.each([
    ['two texts', FRAMED, [text, text], 'only one text'],
    ['two images without roles', FRAMED, [text, image(), image()], 'role is required'],
    ['two first frames', FRAMED, [text, image('first_frame'), image('first_frame')], 'only one first_frame'],
    ['a last frame alone', FRAMED, [text, image('last_frame')], 'requires first_frame'],
    ['frames beside references', FULL, [text, image('first_frame'), image('reference_image')], 'mixed'],
    ['a last frame of a model without', FIRST, [text, image('first_frame'), image('last_frame')], 'these frames'],
    ['an image of a model of text', TEXT_ONLY, [text, image()], 'these frames'],
    ['references of a model without', FRAMED, [text, image('reference_image')], 'so many'],
    ['a video of a model without', IMAGE_RULES, [text, image('reference_image'), video()], 'so many'],
    ['too many videos', FULL, [text, video(), video()], 'so many'],
    ['too many audio', FULL, [text, video(), audio(), audio()], 'so many'],
    ['a audio alone', FULL, [text, audio()], 'reference_audio requires'],
    ['text alone, of a model of images', IMAGE_RULES, [text], 'requires an image'],
    ['bytes of no image', FRAMED, [text, image(undefined, 'data:image/png;base64,a2l0ZQ==')], 'no image'],
    ['a small image', FRAMED, [text, image(undefined, imageUrl(99, 100))], 'less than 100'],
    ['a video without an address', FULL, [text, video('kite.mp4')], 'reference_video is not a valid URL'],
  ])('rejects %s', (_name, model, content, problem) => {
    expect(() => read(model, ...content)).toThrow(problem);
  });
});

it.each([
  [{ content: [image(), text] }, 'kite'],
  [{ content: 'kite' }, ''],
  [{ content: [null, { text: 7 }] }, ''],
  [undefined, ''],
])('contentTextIn finds the text of %j', (body, expected) => {
  expect(contentTextIn(body)).toBe(expected);
});
