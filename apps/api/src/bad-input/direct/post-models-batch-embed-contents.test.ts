import { describe } from 'vitest';
import { content, INVALID_BATCHES, useEmbeddingRig } from '../../../test/bad-input/embedding-requests.ts';
import {
  expectGoogleError,
  INVALID_JSON,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';

const valid = { requests: [{ content }] };

describe.each(['/v1beta', '/v1'])('POST %s/models/:model:batchEmbedContents', (prefix) => {
  const context = useEmbeddingRig();
  const post = (model: string, body: unknown) => context.rig.post(`${prefix}/models/${model}:batchEmbedContents`, body);

  testRefusals(expectGoogleError, {
    400: [
      ...invalidRequests((body) => post('gemini', body), [...INVALID_BATCHES, ...INVALID_JSON]),
      ['the model generates only text', () => post('chat', valid), 'invalid_request', 'model'],
    ],
    404: [['model is not configured', () => post('unknown', valid), 'model_not_found', 'model']],
  });
});
