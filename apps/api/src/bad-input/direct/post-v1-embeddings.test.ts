import { describe } from 'vitest';
import { INVALID_INPUTS, useEmbeddingRig } from '../../../test/bad-input/embedding-requests.ts';
import {
  CAROL,
  expectOpenAiError,
  INVALID_JSON,
  type InvalidBody,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';

const valid = { model: 'embedder', input: 'a' };

describe('POST /v1/embeddings', () => {
  const context = useEmbeddingRig();
  const post = (body: unknown, headers = {}) => context.rig.post('/v1/embeddings', body, { headers });
  const withModel = INVALID_INPUTS.map(([title, body, param]): InvalidBody => [
    title,
    Object.assign({ model: 'embedder' }, body),
    param,
  ]);

  testRefusals(expectOpenAiError, {
    400: [
      ...invalidRequests(post, [
        ...withModel,
        ...INVALID_JSON,
        ['the body is empty', '', 'input'],
        ['model is missing', { input: 'a' }, 'model'],
        ['model is empty', { ...valid, model: '' }, 'model'],
        ['model is a number', { ...valid, model: 5 }, 'model'],
        ['the model generates only text', { ...valid, model: 'chat' }, 'model'],
        ['the upstream has no embeddings', { ...valid, model: 'claude' }, 'model'],
      ]),
      [
        'the upstream accepts no tokens',
        () => post({ model: 'gemini', input: [[1, 2]] }),
        'unsupported_parameter',
        'input',
      ],
    ],
    403: [['the key does not allow the model', () => post(valid, CAROL), 'model_not_allowed', 'model']],
    404: [['model is not configured', () => post({ ...valid, model: 'unknown' }), 'model_not_found', 'model']],
    413: [['the body is too large', () => post({ input: 'x'.repeat(20_000) }), 'payload_too_large']],
    415: [['the body is plain text', () => post(valid, { 'content-type': 'text/plain' }), 'unsupported_media_type']],
  });
});
