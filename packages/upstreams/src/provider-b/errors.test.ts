import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

const PAIR = { access_key: 'AKTEST', secret_key: 'SKTEST' };

async function outcomeOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  await using vendor = await jsonVendor(() => ({ status, body, headers }));
  await using rig = mediaRig({ kind: 'provider-b', base_url: vendor.origin, ...PAIR });
  return await rig.video.submit(videoParams({}), NEVER);
}

const MODERATED = { kind: 'rejected', code: 'content_policy', message: 'why' };
const INVALID = { kind: 'rejected', code: 'invalid_request', message: 'why' };
const AUTH = { kind: 'account', code: 'provider_auth' };
const QUOTA = { kind: 'account', code: 'provider_quota' };
const BUSY = { kind: 'busy', code: 'rate_limited' };
const AWAY = { kind: 'busy', code: 'provider_error' };
const UNKNOWN = { kind: 'unknown' };

describe('maps a refused submission by its code, whatever the status', () => {
  const moderated = [50_411, 50_412, 50_413, 50_511, 50_512, 50_516, 50_517, 50_518, 50_519, 50_520, 50_521, 50_522];
  it.each([
    ...moderated.map((code): [number, number, object] => [400, code, MODERATED]),
    [200, 50_411, MODERATED],
    [429, 50_429, BUSY],
    [429, 50_430, BUSY],
    [200, 50_430, BUSY],
    [500, 50_500, UNKNOWN],
    [500, 50_501, UNKNOWN],
    [400, 50_501, UNKNOWN],
    [400, 50_215, INVALID],
    [401, 50_400, AUTH],
    [200, 50_215, UNKNOWN],
  ])('HTTP %i, code %i', async (status, code, expected) => {
    expect(await outcomeOf(status, { code, message: 'why', data: null })).toMatchObject(expected);
  });
});

describe('submission refused by the gateway', () => {
  it.each([
    [401, 'SignatureDoesNotMatch', AUTH],
    [401, 'InvalidAccessKey', AUTH],
    [401, 'MissingAuthenticationToken', AUTH],
    [401, 'MissingSignature', AUTH],
    [400, 'MissingRequestInfo', AUTH],
    [400, 'InvalidTimestamp', AUTH],
    [400, 'InvalidCredential', AUTH],
    [400, 'InvalidAuthorization', AUTH],
    [403, 'AccessDenied', AUTH],
    [403, 'LackPolicy', AUTH],
    [403, 'AccountOverdueError', QUOTA],
    [429, 'FlowLimitExceeded', BUSY],
    [200, 'FlowLimitExceeded', BUSY],
    [503, 'ServiceUnavailableTemp', AWAY],
    [500, 'InternalError', UNKNOWN],
    [502, 'InternalServiceError', UNKNOWN],
    [504, 'InternalServiceTimeout', UNKNOWN],
    [400, 'MissingParameter', INVALID],
    [404, 'InvalidActionOrVersion', INVALID],
    [200, 'SomethingElse', UNKNOWN],
  ])('HTTP %i %s', async (status, Code, expected) => {
    const body = { ResponseMetadata: { RequestId: '2026', Error: { CodeN: 1, Code, Message: 'why' } } };
    expect(await outcomeOf(status, body)).toMatchObject(expected);
  });

  it('even if the service’s code is a success', async () => {
    const body = { ResponseMetadata: { Error: { Code: 'AccessDenied' } }, code: 10_000, data: { task_id: '7' } };
    expect(await outcomeOf(200, body)).toMatchObject(AUTH);
  });
});

it.each([
  [400, {}, 'rejected'],
  [401, {}, 'account'],
  [429, {}, 'busy'],
  [503, '<html>', 'busy'],
  [500, { code: 10_000, data: { task_id: '7' } }, 'unknown'],
  [502, {}, 'unknown'],
])('falls back to the status without a known code: HTTP %i %o', async (status, body, kind) => {
  expect(await outcomeOf(status, body)).toMatchObject({ kind });
});

it('returns the delay that the vendor requests', async () => {
  expect(await outcomeOf(429, { code: 50_430 }, { 'retry-after': '4' })).toMatchObject({ retryAfterMs: 4000 });
});

it('hides keys in messages', async () => {
  const Message = 'The accesskey [AKTEST] is invalid, secret SKTEST';
  const body = { ResponseMetadata: { Error: { Code: 'MissingParameter', Message } } };
  expect(JSON.stringify(await outcomeOf(400, body))).not.toMatch(/AKTEST|SKTEST/);
});
