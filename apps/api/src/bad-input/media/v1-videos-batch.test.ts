import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { type BadRequest, type Send, send, sendJson, testRejections } from '../../../test/bad-request.ts';

const PATH = '/v1/videos/batch';
const UNUSED = `${PATH}/group_${'0'.repeat(25)}`;
let rig: ApiRig;
beforeAll(async () => {
  const video_groups = { max_videos: 10 };
  rig = await apiRig({ redisTimeoutMs: 5_000, limits: SMALL_LIMITS, config: { video_groups } });
});
afterAll(() => rig.close());

// A refused creation leaves neither a group nor a video.
afterEach(async () => {
  expect(await (await rig.call(PATH)).json()).toMatchObject({ data: [] });
  expect(await rig.taskIds()).toEqual([]);
});

const form = new FormData();
form.set('prompts', 'a');

const create = (body: unknown, headers?: Record<string, string>) => sendJson('POST', PATH, body, headers);
const invalid = (title: string, request: Send, param?: string): BadRequest => [
  title,
  request,
  'invalid_request',
  param,
];
const get = (at: string) => send('GET', at, { headers: { authorization: `Bearer ${KEYS.alice}` } });

describe('POST /v1/videos/batch', () => {
  testRejections(() => rig, {
    415: [['the body is a form', send('POST', PATH, { body: form }), 'unsupported_media_type']],
    400: [
      invalid('the body is empty', create({}), 'prompts'),
      invalid('the body is a list', create([])),
      invalid('the JSON is truncated', create('{"prompts":')),
      invalid('prompts is a text', create({ prompts: 'a' }), 'prompts'),
      invalid('prompts is empty', create({ prompts: [] }), 'prompts'),
      invalid('a prompt is a number', create({ prompts: ['a', 5] }), 'prompts[1]'),
      invalid('a prompt is blank', create({ prompts: ['a', ' '] }), 'prompts[1]'),
      invalid('a model is an object', create({ prompts: ['a'], models: [{}] }), 'models[0]'),
      invalid('a seed is a fraction', create({ prompts: ['a'], seeds: [1.5] }), 'seeds[0]'),
      invalid('prompts and prompt are combined', create({ prompts: ['a'], prompt: 'b' }), 'prompts'),
      invalid('models and model are combined', create({ models: ['video'], model: 'video', prompt: 'a' }), 'models'),
      invalid('seeds and seed are combined', create({ seeds: [1], seed: 1, prompt: 'a' }), 'seeds'),
      invalid('there are too many prompts', create({ prompts: Array.from({ length: 1_001 }, () => 'a') }), 'prompts'),
      invalid('there are too many combinations', create({ prompts: ['a', 'b', 'c'], seeds: [1, 2, 3, 4] }), 'prompts'),
      invalid('there are too many requests', create({ requests: Array.from({ length: 11 }, () => ({})) }), 'requests'),
      invalid('a request is a text', create({ requests: [{ prompt: 'a' }, 'b'] }), 'requests[1]'),
      invalid('a request has no prompt', create({ requests: [{ prompt: 'a' }, {}] }), 'requests[1][prompt]'),
      invalid('a field of all requests is invalid', create({ prompts: ['a'], seconds: 'four' }), 'seconds'),
      invalid(
        'an image of a request is no image',
        create({ requests: [{ prompt: 'a', images: ['%%'] }] }),
        'requests[0][images][0]',
      ),
      invalid('max_cost_usd is negative', create({ prompts: ['a'], max_cost_usd: -1 }), 'max_cost_usd'),
      invalid('the cost is unknown', create({ prompts: ['a'], max_cost_usd: 1 }), 'max_cost_usd'),
      invalid('callback_url is private', create({ prompts: ['a'], callback_url: 'https://10.0.0.1' }), 'callback_url'),
      invalid('dry_run is unknown', sendJson('POST', `${PATH}?dry_run=yes`, { prompts: ['a'] }), 'dry_run'),
      invalid('a label is invalid', create({ prompts: ['a'] }, { 'x-sluice-labels': 'team' }), 'x-sluice-labels'),
      invalid(
        'the idempotency key is too long',
        create({ prompts: ['a'] }, { 'idempotency-key': 'k'.repeat(256) }),
        'Idempotency-Key',
      ),
    ],
    401: [['the API key is missing', send('POST', PATH, { headers: {} }), 'invalid_api_key']],
    404: [['a model does not exist', create({ prompts: ['a'], models: ['x'] }), 'model_not_found', 'models']],
    413: [['the body is too large', create({ prompts: ['a'.repeat(5_000)] }), 'payload_too_large']],
  });
});

describe('GET /v1/videos/batch', () => {
  testRejections(() => rig, {
    400: [
      invalid('limit is 0', get(`${PATH}?limit=0`), 'limit'),
      invalid('after is no id', get(`${PATH}?after=..`), 'after'),
      invalid('after is the id of a video', get(`${PATH}?after=video_${'0'.repeat(25)}`), 'after'),
    ],
  });
});

describe('a group that does not exist', () => {
  testRejections(() => rig, {
    400: [
      invalid('after is negative', get(`${UNUSED}?after=-1`), 'after'),
      invalid('limit is too large', get(`${UNUSED}?limit=101`), 'limit'),
      invalid(
        'retry_unknown is a text',
        sendJson('POST', `${UNUSED}/retry`, { retry_unknown: 'yes' }),
        'retry_unknown',
      ),
    ],
    404: [
      ['it is retrieved', get(UNUSED), 'batch_not_found'],
      ['it is cancelled', sendJson('POST', `${UNUSED}/cancel`, {}), 'batch_not_found'],
      ['it is retried', sendJson('POST', `${UNUSED}/retry`, {}), 'batch_not_found'],
      ['the id is no id', get(`${PATH}/x`), 'batch_not_found'],
    ],
  });

  it('is not deleted', async () => {
    expect(
      (await rig.call(UNUSED, { method: 'DELETE', headers: { authorization: `Bearer ${KEYS.alice}` } })).status,
    ).toBe(404);
  });
});
