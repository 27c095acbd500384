import { describe } from 'vitest';
import { content, INVALID_CONTENTS, useEmbeddingRig } from '../../../test/bad-input/embedding-requests.ts';
import {
  expectGoogleError,
  INVALID_JSON,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';

const image = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] } };

describe.each(['/v1beta', '/v1'])('POST %s/models/:model:embedContent', (prefix) => {
  const context = useEmbeddingRig();
  const post = (model: string, body: unknown) => context.rig.post(`${prefix}/models/${model}:embedContent`, body);

  testRefusals(expectGoogleError, {
    400: [
      ...invalidRequests((body) => post('gemini', body), [...INVALID_CONTENTS, ...INVALID_JSON]),
      ['a part is an image', () => post('gemini', image), 'unsupported_parameter', 'content[parts][0][inlineData]'],
      ['the upstream has no embeddings', () => post('claude', { content }), 'invalid_request', 'model'],
      [
        'the body names another model than the path',
        () => post('gemini', { content, model: 'models/other' }),
        'invalid_request',
        'model',
      ],
    ],
    404: [
      [
        'model is not configured',
        () => post('unknown', { content, model: 'models/unknown' }),
        'model_not_found',
        'model',
      ],
    ],
  });
});
