import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import {
  respondCommonly,
  jsonVendor,
  MEDIA_KEY,
  mediaJob,
  mediaRig,
  mediaStage,
  videoParams,
} from '../../test/media-rig.ts';
import { describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';
import { NEVER } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'minimax', base_url: origin, api_key: MEDIA_KEY });

/** v1 sends most responses with HTTP 200. */
function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const say = (code: number, message: string, more: object = {}, headers = {}) =>
    sendJson(response, 200, { ...more, base_resp: { status_code: code, status_msg: message } }, headers);
  const task = (status: string, more: object = {}) => say(0, 'success', { task_id: 'up_contract_77', status, ...more });
  switch (behavior.behavior) {
    case 'accepts':
      return say(0, 'success', { task_id: behavior.id });
    case 'refuses':
      return say(2013, behavior.reason);
    case 'moderates':
      return say(1026, 'sensitive');
    case 'is busy':
      return say(1002, 'rate limit', {}, { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return say(2049, `invalid api key ${MEDIA_KEY}`);
    case 'has no balance':
      return say(1008, 'insufficient balance');
    case 'answers 500':
      return sendJson(response, 500, {});
    case 'runs':
      return task('Processing');
    case 'has failed':
      return say(1000, behavior.reason, { status: 'Fail' });
    case 'does not know the job':
      return say(2013, 'invalid params, no such task');
    case 'returns an unknown status':
      return task('Reticulating');
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      if (request.url?.startsWith('/v1/files/retrieve') !== true) return task('Success', { file_id: '77' });
      return say(0, 'success', { file: { download_url: `${origin}/files/clip.mp4` } });
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      return undefined;
  }
}

describeVideoContract({
  kind: 'minimax',
  reportsProgress: false,
  setStage: mediaStage({ account, isSubmission: (request) => request.method === 'POST', response: reply }),
});

describe('account', () => {
  it('requires an API key', () => {
    expect(() => mediaRig({ kind: 'minimax', base_url: 'https://a.example' })).toThrow('needs an api_key');
  });

  it.each(['/v1', '/v2/', '/x/v1//'])('refuses a version in its base URL: %s', (path) => {
    expect(() => mediaRig(account(`https://a.example${path}`))).toThrow('must not contain a version');
  });
});

describe('API version', () => {
  it.each([
    ['MiniMax-Hailuo-2.3', '/v1/video_generation', '/v1/query/video_generation?task_id=up_1'],
    ['T2V-01', '/v1/video_generation', '/v1/query/video_generation?task_id=up_1'],
    ['MiniMax-H3', '/v2/video_generation', '/v2/query/video_generation/up_1'],
    ['MiniMax-H4-Max', '/v2/video_generation', '/v2/query/video_generation/up_1'],
  ])('of %s stays the same for all calls', async (model, submission, poll) => {
    await using vendor = await jsonVendor(() => ({ body: { task_id: 'up_1' } }));
    await using rig = mediaRig(account(vendor.origin));
    await rig.video.submit(videoParams({}, { model }), NEVER);
    await rig.video.poll(mediaJob(vendor.origin, { model }), NEVER);
    expect(vendor.recorded.map(({ url }) => url)).toEqual([submission, poll]);
    expect(vendor.recorded.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${MEDIA_KEY}`));
  });
});

async function submitted(status: number, body: unknown, model = 'MiniMax-Hailuo-02') {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig(account(vendor.origin));
  const outcome = await rig.video.submit(videoParams({}, { model }), NEVER);
  expect(vendor.recorded).toHaveLength(1);
  return outcome;
}

const v1 = (status_code: unknown, more: object = {}) => ({ base_resp: { status_code, status_msg: 'why' }, ...more });
const v2 = (message: string, type = 'bad_request_error') => ({ type: 'error', error: { type, message } });

describe('submission response', () => {
  it.each([
    [200, v1(0, { task_id: '106916112212032' }), { kind: 'accepted', upstreamId: '106916112212032', seconds: '6' }],
    [200, { task_id: 106_916_112_212_032 }, { kind: 'accepted', upstreamId: '106916112212032' }],
    [
      200,
      v1(0, { task_id: '' }),
      { kind: 'unknown', message: 'The upstream returned HTTP 200 without an id for the submission.' },
    ],
    [200, v1(0, { task_id: 2 ** 60 }), { kind: 'unknown' }],
    [200, v1(1000, { task_id: 'a' }), { kind: 'unknown' }],
    [200, v1(1001), { kind: 'unknown' }],
    [200, v1(1024), { kind: 'unknown' }],
    [200, v1(1002), { kind: 'busy', code: 'rate_limited' }],
    [200, v1(1039), { kind: 'busy', code: 'rate_limited' }],
    [200, v1(1041), { kind: 'busy' }],
    [200, v1(2045), { kind: 'busy' }],
    [200, v1(1004), { kind: 'account', code: 'provider_auth' }],
    [200, v1(2049), { kind: 'account', code: 'provider_auth' }],
    [200, v1(2061), { kind: 'account', code: 'provider_auth' }],
    [200, v1(1008, { task_id: '' }), { kind: 'account', code: 'provider_quota' }],
    [200, v1('1008'), { kind: 'account', code: 'provider_quota' }],
    [200, v1('0', { task_id: 'a' }), { kind: 'accepted', upstreamId: 'a' }],
    [200, v1(2056), { kind: 'account', code: 'provider_quota' }],
    [200, v1(1026), { kind: 'rejected', code: 'content_policy', message: 'why' }],
    [200, v1(1027), { kind: 'rejected', code: 'content_policy' }],
    [200, v1(2013), { kind: 'rejected', code: 'invalid_request', message: 'why' }],
    [500, v1(1008), { kind: 'account', code: 'provider_quota' }],
    [500, v1(1000), { kind: 'unknown' }],
    [400, v2('invalid params, content (2013)'), { kind: 'rejected', code: 'invalid_request' }],
    [422, v2('sensitive content (1026)', 'unprocessable_entity_error'), { kind: 'rejected', code: 'content_policy' }],
    [402, v2('insufficient balance (1008)'), { kind: 'account', code: 'provider_quota' }],
    [401, v2('login fail (1004)'), { kind: 'account', code: 'provider_auth' }],
    [429, v2('rate limit (1002)'), { kind: 'busy', code: 'rate_limited' }],
    [529, v2('overloaded', 'overloaded_error'), { kind: 'busy', code: 'provider_error' }],
    [500, v2('internal error (1000)'), { kind: 'unknown' }],
    [400, {}, { kind: 'rejected', message: 'The upstream returned HTTP 400.' }],
    [401, {}, { kind: 'account', code: 'provider_auth' }],
    [200, [], { kind: 'unknown' }],
    [302, {}, { kind: 'unknown' }],
  ])('HTTP %i %o', async (status, body, expected) => {
    expect(await submitted(status, body)).toMatchObject(expected);
  });

  it('of v2 is only an id', async () => {
    expect(await submitted(200, { task_id: '424010985738629' }, 'MiniMax-H3')).toEqual({
      kind: 'accepted',
      upstreamId: '424010985738629',
      seconds: '5',
    });
  });
});
