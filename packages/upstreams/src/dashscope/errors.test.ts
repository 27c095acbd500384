import { describe, expect, it } from 'vitest';
import { imageParams, jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

async function outcomeOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  await using vendor = await jsonVendor(() => ({ status, body, headers }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  return await rig.video.submit(videoParams({}, { model: 'wan2.6-t2v' }), NEVER);
}

const INVALID = { kind: 'rejected', code: 'invalid_request', message: 'why' };
const MODERATED = { kind: 'rejected', code: 'content_policy', message: 'why' };
const AUTH = { kind: 'account', code: 'provider_auth' };
const QUOTA = { kind: 'account', code: 'provider_quota' };
const BUSY = { kind: 'busy', code: 'rate_limited' };
const AWAY = { kind: 'busy', code: 'provider_error' };
const UNKNOWN = { kind: 'unknown' };

it.each([
  [503, 'ModelServingError', UNKNOWN],
  [500, 'ModelServingError', UNKNOWN],
  [503, 'ModelUnavailable', AWAY],
  [429, 'Throttling', BUSY],
])('maps a refused synchronous image call: HTTP %i %s', async (status, code, expected) => {
  await using vendor = await jsonVendor(() => ({ status, body: { code, message: 'why' } }));
  await using rig = mediaRig({ kind: 'dashscope', base_url: vendor.origin, api_key: 'key-1' });
  expect(await rig.image.submit(imageParams({}, { model: 'qwen-image' }), NEVER)).toMatchObject(expected);
});

describe('maps a refused submission by its code, whatever the status', () => {
  it.each([
    [400, 'InvalidParameter', INVALID],
    [400, 'InvalidParameter.DataInspection', INVALID],
    [400, 'InvalidURL', INVALID],
    [400, 'BadRequest.EmptyInput', INVALID],
    [404, 'ModelNotFound', INVALID],
    [400, 'UnsupportedOperation', INVALID],
    [400, 'DataInspectionFailed', MODERATED],
    [400, 'data_inspection_failed', MODERATED],
    [400, 'IPInfringementSuspect', MODERATED],
    [429, 'Throttling', BUSY],
    [429, 'Throttling.RateQuota', BUSY],
    [429, 'Throttling.AllocationQuota', BUSY],
    [429, 'LimitRequests', BUSY],
    [400, 'Arrearage', QUOTA],
    [403, 'AllocationQuota.FreeTierOnly', QUOTA],
    [429, 'PrepaidBillOverdue', QUOTA],
    [429, 'PostpaidBillOverdue', QUOTA],
    [429, 'CommodityNotPurchased', QUOTA],
    [429, 'insufficient_quota', QUOTA],
    [401, 'InvalidApiKey', AUTH],
    [401, 'invalid_api_key', AUTH],
    [403, 'AccessDenied', AUTH],
    [403, 'AccessDenied.Unpurchased', AUTH],
    [403, 'Model.AccessDenied', AUTH],
    [400, 'Workspace.AccessDenied', AUTH],
    [500, 'InternalError', UNKNOWN],
    [500, 'InternalError.Algo', UNKNOWN],
    [500, 'SystemError', UNKNOWN],
    [408, 'RequestTimeOut', UNKNOWN],
    [503, 'ModelServingError', AWAY],
    [503, 'ModelUnavailable', AWAY],
    // Some errors are sent with HTTP 200.
    [200, 'InvalidParameter', INVALID],
    [200, 'Throttling', BUSY],
    [200, 'SomethingElse', UNKNOWN],
  ])('HTTP %i %s', async (status, code, expected) => {
    const body = { code, message: 'why', request_id: 'a', output: { task_id: 'up_9' } };
    expect(await outcomeOf(status, body)).toMatchObject(expected);
  });
});

it.each([
  [400, {}, 'rejected'],
  [401, {}, 'account'],
  [402, {}, 'account'],
  [429, {}, 'busy'],
  [503, '<html>', 'busy'],
  [408, {}, 'unknown'],
  [500, { output: { task_id: 'up_9' } }, 'unknown'],
  [502, {}, 'unknown'],
])('falls back to the status without a known code: HTTP %i %o', async (status, body, kind) => {
  expect(await outcomeOf(status, body)).toMatchObject({ kind });
});

it('returns the delay that the vendor requests', async () => {
  expect(await outcomeOf(429, { code: 'Throttling' }, { 'retry-after': '4' })).toMatchObject({ retryAfterMs: 4000 });
});
