import type { VideoRequest } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { formFields } from './form-fields.ts';

it('sends every field of the request and no other', () => {
  expect(formFields('m', { kind: 'video', images: [] })).toEqual([['model', 'm']]);
  const paramsList = { prompt: 'p', negativePrompt: 'n', seconds: '4', size: '1x1', seed: 7 };
  const request: VideoRequest = { kind: 'video', ...paramsList, images: [] };
  expect(formFields('m', request)).toEqual([
    ['model', 'm'],
    ['prompt', 'p'],
    ['seconds', '4'],
    ['size', '1x1'],
    ['negative_prompt', 'n'],
    ['seed', '7'],
  ]);
});

it('passes metadata on, nested as the published SDKs encode it', () => {
  const metadata = { mode: 'pro', loop: true, shots: 2, none: null, camera: { move: { pan: 1 } }, tags: ['a', 'b'] };
  expect(formFields('m', { kind: 'video', images: [], metadata }).slice(1)).toEqual([
    ['mode', 'pro'],
    ['loop', 'true'],
    ['shots', '2'],
    ['camera[move][pan]', '1'],
    ['tags[]', 'a'],
    ['tags[]', 'b'],
  ]);
});

it('does not let metadata change request fields', () => {
  const metadata = {
    model: 'dearer',
    Model: 'dearer',
    'model[]': 'dearer',
    ' prompt': 'x',
    seconds: 60,
    input_reference: { image_url: 'http://10.0.0.1/' },
    'input_reference[image_url]': 'http://10.0.0.1/',
    n: 4,
    N: 4,
    Duration: 60,
    image: 'http://10.0.0.1/',
    'images[]': 'http://10.0.0.1/',
    image_url: 'http://10.0.0.1/',
    Video: { id: 'of another client' },
    video_url: 'http://10.0.0.1/',
    remix_video_id: 'of another client',
    Remixed_From_Video_Id: 'of another client',
    callback_url: 'https://client.example/',
    'webhook[url]': 'https://client.example/',
  };
  expect(formFields('m', { kind: 'video', images: [], metadata })).toEqual([['model', 'm']]);
});

it('stops at a depth limit', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 50; level += 1) deep = { deep };
  expect(formFields('m', { kind: 'video', images: [], metadata: { deep } })).toEqual([['model', 'm']]);
});
