import { describe } from 'vitest';
import {
  CAROL,
  expectOpenAiError,
  INVALID_JSON,
  type InvalidBody,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';
import { useRefusingRig } from '../../../test/bad-input/text-rigs.ts';

const valid = { model: 'moderator', input: 'a' };
const image = (url: unknown) => [{ type: 'image_url', image_url: { url } }];

const INVALID_INPUTS: readonly [title: string, input: unknown, param: string][] = [
  ['input is missing', undefined, 'input'],
  ['input is null', null, 'input'],
  ['input is an empty string', '', 'input'],
  ['input is an empty array', [], 'input'],
  ['input contains an empty string', ['a', ''], 'input[1]'],
  ['input is a number', 5, 'input'],
  ['input contains numbers', [1, 2], 'input'],
  ['input mixes strings and parts', ['a', { type: 'text', text: 'b' }], 'input'],
  ['the type of a part is unknown', [{ type: 'audio', audio: 'x' }], 'input'],
  ['a text part has no text', [{ type: 'text' }], 'input'],
  ['the URL of an image is relative', image('cat.png'), 'input[0][image_url][url]'],
  ['the URL of an image is a file', image('file:///etc/passwd'), 'input[0][image_url][url]'],
];

describe('POST /v1/moderations', () => {
  const context = useRefusingRig((url) => ({
    upstreams: {
      openai: { kind: 'chat-completions', base_url: url },
      anthropic: { kind: 'messages', base_url: url },
    },
    models: [
      { id: 'moderator', routes: [{ upstream: 'openai', model: 'theirs' }] },
      { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }], capabilities: ['text'] },
      { id: 'claude', routes: [{ upstream: 'anthropic', model: 'theirs' }] },
    ],
  }));
  const post = (body: unknown, headers = {}) => context.rig.post('/v1/moderations', body, { headers });

  testRefusals(expectOpenAiError, {
    400: invalidRequests(post, [
      ['the body is empty', '', 'input'],
      ['the object is empty', {}, 'input'],
      ...INVALID_INPUTS.map(([title, input, param]): InvalidBody => [title, { ...valid, input }, param]),
      ['model is a number', { ...valid, model: 5 }, 'model'],
      ['model is empty', { ...valid, model: '' }, 'model'],
      ['model is missing and no default is configured', { input: 'a' }, 'model'],
      ['the model generates only text', { ...valid, model: 'chat' }, 'model'],
      ['the upstream has no moderation', { ...valid, model: 'claude' }, 'model'],
      ...INVALID_JSON,
    ]),
    403: [['the key does not allow the model', () => post(valid, CAROL), 'model_not_allowed', 'model']],
    404: [['model is not configured', () => post({ ...valid, model: 'unknown' }), 'model_not_found', 'model']],
    413: [['the body is too large', () => post({ input: 'x'.repeat(5_000) }), 'payload_too_large']],
    415: [
      ['the body is plain text', () => post(valid, { 'content-type': 'text/plain' }), 'unsupported_media_type'],
      ['the body is compressed', () => post(valid, { 'content-encoding': 'deflate' }), 'unsupported_media_type'],
    ],
  });
});
