import { describe } from 'vitest';
import {
  INVALID_BATCHES,
  INVALID_CONTENTS,
  INVALID_INPUTS,
  useEmbeddingRig,
} from '../../../test/bad-input/embedding-requests.ts';
import {
  expectOpenAiError,
  INVALID_JSON,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';

describe('POST /v1/engines/:model/embeddings', () => {
  const context = useEmbeddingRig();
  const post = (model: string, body: unknown) =>
    context.rig.post(`/v1/engines/${encodeURIComponent(model)}/embeddings`, body);

  describe.each(['embedder', 'org/embedder'])('%s', (model) => {
    // Excludes the empty object, because OpenAI's format reports it as a missing input.
    const inGoogleFormat = [...INVALID_CONTENTS, ...INVALID_BATCHES].filter(
      ([, body]) => JSON.stringify(body) !== '{}',
    );
    testRefusals(expectOpenAiError, {
      400: invalidRequests(
        (body) => post(model, body),
        [...INVALID_INPUTS, ...inGoogleFormat, ...INVALID_JSON, ['the body is empty', '', 'input']],
      ),
    });
  });

  testRefusals(expectOpenAiError, {
    400: [['the upstream has no embeddings', () => post('claude', { input: 'a' }), 'invalid_request', 'model']],
    404: [
      [
        'the model of the path is not configured, although the body names one that is',
        () => post('unknown', { model: 'embedder', input: 'a' }),
        'model_not_found',
        'model',
      ],
    ],
  });
});
