import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { stored, decode, atUrl } from '../../test/decoded-video-params.ts';

describe('images of a video', () => {
  const image_url = 'https://pics.test/a.png';

  it.each([
    [{ input_reference: { image_url } }],
    [{ input_reference: image_url }],
    [{ image: image_url }],
    [{ image: { image_url } }],
    [{ image: [image_url] }],
    [{ image: { 0: image_url } }],
    [{ images: [image_url] }],
    [{ images: image_url }],
    [{ images: [{ image_url }] }],
  ])('uses one image as the first frame: %j', (fields) => {
    expect(decode({ prompt: 'a', ...fields }).images).toEqual([atUrl('first_frame')]);
  });

  it('uses two images as the first and last frames, and more as references', () => {
    const urls = ['a', 'b', 'c'].map((name) => `https://pics.test/${name}.png`);
    expect(decode({ prompt: 'a', images: urls.slice(0, 2) }).images).toEqual([
      atUrl('first_frame'),
      atUrl('last_frame', 'b'),
    ]);
    expect(decode({ prompt: 'a', images: urls }).images.map(({ role }) => role)).toEqual(Array(3).fill('reference'));
  });

  it.each([[['input_reference']], [['image']], [['image[]']], [['images[]']]])('accepts files in %j', (fields) => {
    expect(decode({ prompt: 'a' }, ...fields).images).toEqual([
      { role: 'first_frame', source: { kind: 'stored', ...stored } },
    ]);
  });

  it('accepts several files in order', () => {
    expect(decode({ prompt: 'a' }, 'images[]', 'images[]').images.map(({ role }) => role)).toEqual([
      'first_frame',
      'last_frame',
    ]);
  });

  it('returns data URLs and base64 as bytes to be stored', () => {
    const dataUrl = 'data:Image/PNG;base64,iVBORw0=';
    expect(decode({ prompt: 'a', input_reference: { image_url: dataUrl } }).images).toEqual([
      { role: 'first_frame', mediaType: 'image/png', base64: 'iVBORw0=', param: 'input_reference[image_url]' },
    ]);
    expect(decode({ prompt: 'a', image: 'iVBORw0=' }).images).toEqual([
      { role: 'first_frame', base64: 'iVBORw0=', param: 'image' },
    ]);
    expect(decode({ prompt: 'a', images: ['iVBORw0=', dataUrl] }).images).toEqual([
      { role: 'first_frame', base64: 'iVBORw0=', param: 'images[0]' },
      { role: 'last_frame', mediaType: 'image/png', base64: 'iVBORw0=', param: 'images[1]' },
    ]);
  });

  it.each([
    [{ input_reference: {} }, 'input_reference[image_url]'],
    [{ input_reference: { image_url: 'ftp://pics.test' } }, 'input_reference[image_url]'],
    [{ input_reference: { file_id: 'file_1' } }, 'input_reference[file_id]'],
    [{ input_reference: 'iVBORw0=' }, 'input_reference[image_url]'],
    [{ image: 'https://user:pass@pics.test' }, 'image'],
    [{ images: [image_url, 'ftp://pics.test'] }, 'images[1]'],
    [{ images: [image_url, 5] }, 'images[1]'],
    [{ images: Array(17).fill(image_url) }, 'images'],
    [{ image: image_url, images: [image_url] }, 'images'],
    [{ image: [image_url], images: [image_url] }, 'images'],
    [{ image: image_url, input_reference: image_url }, 'image'],
  ])('rejects %.60j', (fields, param) => {
    expect(() => decode({ prompt: 'a', ...fields })).toThrow(refusal(param));
  });

  it('rejects files combined with references', () => {
    expect(() => decode({ prompt: 'a', input_reference: image_url }, 'input_reference')).toThrow(
      refusal('input_reference'),
    );
    expect(() => decode({ prompt: 'a', images: [image_url] }, 'image')).toThrow(refusal('images'));
    expect(() => decode({ prompt: 'a' }, 'input_reference', 'image')).toThrow(refusal('image'));
  });
});
