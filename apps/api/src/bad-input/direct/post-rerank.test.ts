import { describe, expect } from 'vitest';
import {
  CAROL,
  expectOpenAiError,
  INVALID_JSON,
  type InvalidBody,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';
import { useRefusingRig } from '../../../test/bad-input/text-rigs.ts';
import type { Refusal } from '../../../test/refusal.ts';

const valid = { model: 'ranker', query: 'q', documents: ['a'] };

const INVALID_FIELDS: readonly [title: string, fields: Record<string, unknown>, param: string][] = [
  ['query is missing', { query: undefined }, 'query'],
  ['query is null', { query: null }, 'query'],
  ['query is empty', { query: '' }, 'query'],
  ['query is an array', { query: ['q'] }, 'query'],
  ['documents is missing', { documents: undefined }, 'documents'],
  ['documents is empty', { documents: [] }, 'documents'],
  ['documents is a string', { documents: 'a' }, 'documents'],
  ['a document is a number', { documents: ['a', 5] }, 'documents[1]'],
  ['a document is null', { documents: [null] }, 'documents[0]'],
  ['a document is an array', { documents: [['a']] }, 'documents[0]'],
  ['a document is an empty object', { documents: ['a', {}] }, 'documents[1]'],
  ['top_n is 0', { top_n: 0 }, 'top_n'],
  ['top_n is a fraction', { top_n: 1.5 }, 'top_n'],
  ['top_n is a string', { top_n: '2' }, 'top_n'],
  ['return_documents is a string', { return_documents: 'yes' }, 'return_documents'],
  ['rank_fields is a string', { rank_fields: 'title' }, 'rank_fields'],
  ['an item of rank_fields is a number', { rank_fields: ['title', 5] }, 'rank_fields[1]'],
  ['model is missing', { model: undefined }, 'model'],
  ['model is empty', { model: '' }, 'model'],
  ['model is a number', { model: 5 }, 'model'],
  ['the model only embeds', { model: 'embedder' }, 'model'],
  ['the upstream has no reranking', { model: 'chat' }, 'model'],
];

/** Checks an error in OpenAI's format that also has its message at the top level, where Cohere's clients read it. */
async function expectRerankError(response: Response, refusal: Refusal): Promise<void> {
  // Without the top-level message, the remaining error has the gateway's format, which is checked below.
  const { message, ...rest } = (await response.clone().json()) as { message: string; error: { message: string } };
  expect(message).toBe(rest.error.message);
  await expectOpenAiError(new Response(JSON.stringify(rest), response), refusal);
}

describe.each(['/v1/rerank', '/v2/rerank'])('POST %s', (path) => {
  const context = useRefusingRig((url) => ({
    upstreams: {
      cohere: { kind: 'cohere', base_url: url, api_key: 'sk-vendor' },
      openai: { kind: 'chat-completions', base_url: url },
    },
    models: [
      { id: 'ranker', routes: [{ upstream: 'cohere', model: 'theirs' }] },
      { id: 'embedder', routes: [{ upstream: 'cohere', model: 'theirs' }], capabilities: ['embedding'] },
      { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }] },
    ],
  }));
  const post = (body: unknown, headers = {}) => context.rig.post(path, body, { headers });

  testRefusals(expectRerankError, {
    400: [
      ...invalidRequests(post, [
        ['the body is empty', '', 'query'],
        ['the object is empty', {}, 'query'],
        ...INVALID_FIELDS.map(([title, fields, param]): InvalidBody => [title, { ...valid, ...fields }, param]),
        ...INVALID_JSON,
      ]),
      [
        'a document is an image and the upstream ranks only text',
        () => post({ ...valid, documents: ['a', { image: 'https://x.example/a.png' }] }),
        'unsupported_parameter',
        'documents[1][image]',
      ],
    ],
    403: [['the key does not allow the model', () => post(valid, CAROL), 'model_not_allowed', 'model']],
    404: [['model is not configured', () => post({ ...valid, model: 'unknown' }), 'model_not_found', 'model']],
    413: [['the body is too large', () => post({ ...valid, query: 'x'.repeat(5_000) }), 'payload_too_large']],
    415: [['the body is plain text', () => post(valid, { 'content-type': 'text/plain' }), 'unsupported_media_type']],
  });
});
