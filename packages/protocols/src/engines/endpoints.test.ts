import type { EmbeddingParams } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { enginesEndpoints } from './endpoints.ts';

const { protocol } = enginesEndpoints[0];
const content = { parts: [{ text: 'a' }] };

/** Decodes a body and encodes a response to it. */
function format(body: unknown) {
  const input = { body, model: 'p' };
  const { model, params } = protocol.decode(input);
  const response = protocol.encode({ vectors: [[1]], inputTokens: 2 }, { model: 'p', params, input, newId: String });
  return [model, (params satisfies EmbeddingParams).foreign.protocol, response];
}

describe('embeddings by engine', () => {
  it.each([
    [
      { input: 'a', model: 'm' },
      'openai',
      {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
        model: 'p',
        usage: { prompt_tokens: 2, total_tokens: 2 },
      },
    ],
    [{ content, model: 'm' }, 'generative-content', { embedding: { values: [1] } }],
    [
      { requests: [{ content, model: 'models/m' }] },
      'generative-content',
      { embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 2 } },
    ],
  ])('responds to %j in its own protocol, with the model of the path', (body, name, response) => {
    expect(format(body)).toEqual(['p', name, response]);
  });

  it.each([[{}], [undefined], [[]], [{ model: 'm' }]])("reads %j as OpenAI's and rejects it", (body) => {
    expect(() => format(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
