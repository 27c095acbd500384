import { expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { explainInput } from './explain-input.ts';
import { modelNamed } from './fal-models.ts';

function problems(name: string, body: unknown) {
  const read = modelNamed(name)?.input.safeParse(body);
  return read?.error === undefined ? [] : explainInput(read.error, body);
}

const video = (more: object) => problems('fal-ai/veo3', { prompt: 'kite', ...more });
const image = (more: object) => problems('fal-ai/flux/dev', { prompt: 'kite', ...more });

it('reports all errors', () => {
  const wrong = video({ prompt: undefined, duration: '5s' });
  expect(wrong).toMatchObject([
    { loc: ['body', 'prompt'], type: 'missing', msg: 'Field required', input: { duration: '5s' } },
    {
      loc: ['body', 'duration'],
      type: 'one_of',
      msg: "Input should be '4s', '6s' or '8s'",
      ctx: { expected: ['4s', '6s', '8s'] },
      url: 'https://docs.fal.ai/errors/#one_of',
      input: '5s',
    },
  ]);
});

it.each([
  [video({ prompt: 5 }), ['prompt'], 'string_type', undefined],
  [video({ prompt: '' }), ['prompt'], 'sequence_too_short', { min_length: 1 }],
  [video({ generate_audio: 'yes' }), ['generate_audio'], 'bool_type', undefined],
  [video({ seed: 1.5 }), ['seed'], 'int_type', undefined],
  [video({ aspect_ratio: '1:1' }), ['aspect_ratio'], 'one_of', { expected: ['16:9', '9:16'] }],
  [image({ guidance_scale: '3' }), ['guidance_scale'], 'float_type', undefined],
  [image({ num_images: 0 }), ['num_images'], 'greater_than_equal', { ge: 1 }],
  [image({ num_images: 5 }), ['num_images'], 'less_than_equal', { le: 4 }],
  [image({ image_size: 'huge' }), ['image_size'], 'one_of', { expected: expect.arrayContaining(['square_hd']) }],
  [image({ image_size: { width: 64 } }), ['image_size', 'height'], 'missing', undefined],
  [problems('fal-ai/veo3', 'kite'), [], 'model_attributes_type', undefined],
] as const)('%#: with its error type', (problemList, loc, type, ctx) => {
  expect(problemList).toMatchObject([{ loc: ['body', ...loc], type }]);
  expect(problemList[0]?.ctx).toEqual(ctx);
});

it('does not echo images', () => {
  const problemList = problems('fal-ai/kling-video/v2.1/master/image-to-video', { image_url: imageUrl(64, 64) });
  expect(problemList).toMatchObject([{ type: 'missing' }]);
  expect(problemList[0]).not.toHaveProperty('input');
});
