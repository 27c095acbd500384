import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { imageModelOf } from './image-models.ts';
import { messagesParams, promptParams, promptIn } from './image-params.ts';

function modelOf(name: string) {
  const model = imageModelOf(name);
  if (model === undefined) throw new Error(`there is no ${name}`);
  return model;
}

function edit(content: unknown, parameters: object = {}, name = 'qwen-image-edit-plus') {
  return messagesParams(modelOf(name), { model: name, input: { messages: [{ role: 'user', content }] }, parameters });
}

function paint(input: unknown, parameters: object = {}, name = 'wan2.2-t2i-flash') {
  return promptParams(modelOf(name), { model: name, input, parameters });
}

const image = { image: imageUrl(64, 32) };
const text = { text: 'make it night' };

describe('messagesParams', () => {
  it('reads text and images, and keeps the ratio of the last image', () => {
    expect(edit([image, text], { n: 2, seed: 5, negative_prompt: '' })).toEqual({
      kind: 'image',
      model: 'qwen-image-edit-plus',
      prompt: 'make it night',
      seconds: 0,
      width: 1448,
      height: 724,
      count: 2,
      seed: 5,
      inputs: [{ field: 'image', mediaType: 'image/png', bytes: expect.any(Number), sha256: expect.any(String) }],
    });
  });

  it('uses the requested size or the default', () => {
    expect(edit([image, text], { size: '512*1024' })).toMatchObject({ width: 512, height: 1024 });
    expect(edit([text], {}, 'qwen-image')).toMatchObject({ width: 1328, height: 1328, count: 1 });
  });

  it.each([
    ['no image', [text], {}, '1 to 3 images'],
    ['four images', [image, image, image, image, text], {}, '1 to 3 images'],
    ['no text', [image], {}, 'exactly one text'],
    ['two texts', [image, text, text], {}, 'exactly one text'],
    ['bytes of no image', [{ image: 'data:image/png;base64,a2l0ZQ==' }, text], {}, 'no image'],
    ['an empty text', [image, { text: '' }], {}, 'input.messages[0].content[1].text'],
    ['both in one part', [image, { text: 'a', image: 'b' }], {}, 'input.messages[0].content[1]'],
    ['content that is text', 'make it night', {}, 'input.messages[0].content'],
    ['too many', [image, text], { n: 7 }, 'parameters.n'],
    ['none', [image, text], { n: 0 }, 'parameters.n'],
    ['a number in text', [image, text], { n: '1' }, 'parameters.n'],
    ['a small size', [image, text], { size: '100*100' }, 'parameters.size'],
    ['a field of videos', [image, text], { ratio: '16:9' }, 'parameters.ratio'],
  ])('rejects %s', (_name, content, parameters, problem) => {
    expect(() => edit(content, parameters)).toThrow(problem);
  });

  it('requires one user message', () => {
    const model = modelOf('qwen-image');
    const message = { role: 'user', content: [text] };
    for (const messages of [[], [message, message], [{ ...message, role: 'system' }]]) {
      expect(() => messagesParams(model, { model: 'qwen-image', input: { messages } })).toThrow('input.messages');
    }
  });
});

describe('promptParams', () => {
  it('reads a prompt', () => {
    expect(paint({ prompt: 'kite', negative_prompt: 'rain' }, { n: 4, size: '512*768' })).toMatchObject({
      prompt: 'kite',
      count: 4,
      width: 512,
      height: 768,
      inputs: [],
    });
  });

  it.each([
    [{}, {}, 'input.prompt'],
    [{ prompt: '' }, {}, 'input.prompt'],
    [{ prompt: 'kite', messages: [] }, {}, 'input.messages'],
    [{ prompt: 'kite' }, { n: 5 }, 'parameters.n'],
    [{ prompt: 'kite' }, { size: '2048*2048' }, 'parameters.size'],
    [{ prompt: 'kite' }, { seed: 1.5 }, 'parameters.seed'],
  ])('rejects %j with %j', (input, parameters, problem) => {
    expect(() => paint(input, parameters)).toThrow(problem);
  });
});

it.each([
  [{ input: { prompt: 'kite' } }, 'kite'],
  [{ input: { messages: [{ content: [{ image: 'a' }, { text: 'kite' }] }] } }, 'kite'],
  [{ input: { messages: 'kite' } }, ''],
  [{ prompt: 'kite' }, ''],
  [undefined, ''],
  [[], ''],
])('promptIn finds the prompt of %j', (body, words) => {
  expect(promptIn(body)).toBe(words);
});
