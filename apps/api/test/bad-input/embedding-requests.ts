import type { InvalidBody } from './refused-requests.ts';
import { type TextContext, useRefusingRig } from './text-rigs.ts';

/** Starts an API with the embedding models `embedder`, `org/embedder`, and `gemini`, and with other models. */
export function useEmbeddingRig(): TextContext {
  return useRefusingRig(
    (url) => {
      const account = { base_url: url, api_key: 'sk-vendor' };
      return {
        upstreams: {
          openai: { kind: 'chat-completions', ...account },
          google: { kind: 'generative-content', ...account },
          anthropic: { kind: 'messages', ...account },
        },
        models: [
          { id: 'embedder', routes: [{ upstream: 'openai', model: 'theirs' }] },
          { id: 'org/embedder', routes: [{ upstream: 'openai', model: 'theirs' }] },
          { id: 'gemini', routes: [{ upstream: 'google', model: 'theirs' }] },
          { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }], capabilities: ['text'] },
          { id: 'claude', routes: [{ upstream: 'anthropic', model: 'theirs' }] },
        ],
      };
    },
    { json_bytes: 16_384 },
  );
}

/** Valid content in Google's format. */
export const content = { parts: [{ text: 'a' }] };

const inputs = (...input: unknown[]) => ({ input });

/** Invalid requests in OpenAI's format, without the model. */
export const INVALID_INPUTS: readonly InvalidBody[] = [
  ['input is missing', {}, 'input'],
  ['input is null', { input: null }, 'input'],
  ['input is an empty string', { input: '' }, 'input'],
  ['input is an empty array', { input: [] }, 'input'],
  ['input contains an empty string', inputs('a', ''), 'input[1]'],
  ['input is a number', { input: 5 }, 'input'],
  ['input is an object', { input: { text: 'a' } }, 'input'],
  ['input mixes strings and tokens', inputs('a', 1), 'input'],
  ['a token is a fraction', inputs(1.5), 'input'],
  ['a token is negative', inputs(-1), 'input'],
  ['input contains an empty array of tokens', inputs([1], []), 'input[1]'],
  ['input has more than 2,048 items', { input: Array.from({ length: 2_049 }, () => [1]) }, 'input'],
  ['encoding_format is unknown', { input: 'a', encoding_format: 'int8' }, 'encoding_format'],
  ['dimensions is 0', { input: 'a', dimensions: 0 }, 'dimensions'],
  ['dimensions is a string', { input: 'a', dimensions: '8' }, 'dimensions'],
  ['dimensions is a fraction', { input: 'a', dimensions: 1.5 }, 'dimensions'],
];

/** Invalid requests in Google's format. */
export const INVALID_CONTENTS: readonly InvalidBody[] = [
  ['content is missing', {}, 'content'],
  ['content is null', { content: null }, 'content'],
  ['content is a string', { content: 'a' }, 'content'],
  ['parts is missing', { content: {} }, 'content[parts]'],
  ['parts is empty', { content: { parts: [] } }, 'content[parts]'],
  ['text is empty', { content: { parts: [{ text: '' }] } }, 'content[parts]'],
  ['a part is empty', { content: { parts: [{}] } }, 'content[parts][0][text]'],
  ['text is a number', { content: { parts: [{ text: 5 }] } }, 'content[parts][0][text]'],
  ['taskType is a number', { content, taskType: 1 }, 'taskType'],
  ['title is a number', { content, title: 1 }, 'title'],
  ['outputDimensionality is 0', { content, outputDimensionality: 0 }, 'outputDimensionality'],
  ['output_dimensionality is a string', { content, output_dimensionality: 'x' }, 'outputDimensionality'],
];

/** Invalid batches in Google's format. */
export const INVALID_BATCHES: readonly InvalidBody[] = [
  ['requests is missing', {}, 'requests'],
  ['requests is null', { requests: null }, 'requests'],
  ['requests is an object', { requests: { content } }, 'requests'],
  ['requests is empty', { requests: [] }, 'requests'],
  ['a request is a string', { requests: ['a'] }, 'requests[0]'],
  [
    'requests name different models',
    {
      requests: [
        { model: 'models/a', content },
        { model: 'models/b', content },
      ],
    },
    'requests[1][model]',
  ],
  [
    'requests name different task types',
    { requests: [{ content, taskType: 'A' }, { content }] },
    'requests[1][taskType]',
  ],
  ...INVALID_CONTENTS.map(([title, body, param]): InvalidBody => [
    `in a request, ${title}`,
    { requests: [body] },
    `requests[0]${(param ?? '').replace(/^\w+/, '[$&]')}`,
  ]),
];
