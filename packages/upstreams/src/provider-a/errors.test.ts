import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';

async function outcomeOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  await using vendor = await jsonVendor(() => ({ status, body, headers }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
  const outcome = await rig.video.submit(videoParams({}), NEVER);
  expect(vendor.recorded).toHaveLength(1);
  return outcome;
}

const INVALID = { kind: 'rejected', code: 'invalid_request', message: 'why' };
const MODERATED = { kind: 'rejected', code: 'content_policy', message: 'why' };
const AUTH = { kind: 'account', code: 'provider_auth' };
const QUOTA = { kind: 'account', code: 'provider_quota' };
const BUSY = { kind: 'busy', code: 'rate_limited' };
const AWAY = { kind: 'busy', code: 'provider_error' };
const UNKNOWN = { kind: 'unknown' };

describe('maps a refused submission by its code, whatever the status', () => {
  it.each([
    [401, 1000, AUTH],
    [401, 1001, AUTH],
    [401, 1002, AUTH],
    [401, 1003, AUTH],
    [401, 1004, AUTH],
    [429, 1100, AUTH],
    [429, 1101, QUOTA],
    [429, 1102, QUOTA],
    [403, 1103, AUTH],
    [429, 1103, AUTH],
    [400, 1200, INVALID],
    [400, 1201, INVALID],
    [404, 1202, INVALID],
    [404, 1203, INVALID],
    [400, 1300, MODERATED],
    [400, 1301, MODERATED],
    [429, 1302, BUSY],
    [429, 1303, BUSY],
    [429, 1304, AUTH],
    [500, 5000, UNKNOWN],
    [503, 5001, AWAY],
    [504, 5002, UNKNOWN],
    // Some errors are sent with HTTP 200.
    [200, 1201, INVALID],
    [200, 1301, MODERATED],
    [200, 1303, BUSY],
    [200, 1102, QUOTA],
    [200, 9999, UNKNOWN],
    // Unknown codes are treated like the other codes of their family.
    [401, 1005, AUTH],
    [200, 1099, AUTH],
    [429, 1150, AUTH],
    [402, 1151, QUOTA],
    [200, 1299, INVALID],
    [429, 1250, INVALID],
    [429, 1399, BUSY],
    [400, 1399, INVALID],
    [200, 1399, UNKNOWN],
  ])('HTTP %i, code %i', async (status, code, expected) => {
    expect(await outcomeOf(status, { code, message: 'why', request_id: 'req-1' })).toMatchObject(expected);
    expect(await outcomeOf(status, { code: String(code), message: 'why' })).toMatchObject(expected);
  });
});

it.each([
  [400, {}, 'rejected'],
  [400, { code: 4711 }, 'rejected'],
  [401, {}, 'account'],
  [429, {}, 'busy'],
  [503, '<html>', 'busy'],
  [500, {}, 'unknown'],
  [502, { code: 0, data: { task_id: '7' } }, 'unknown'],
  [504, {}, 'unknown'],
  [302, {}, 'unknown'],
])('falls back to the status without a known code: HTTP %i %o', async (status, body, kind) => {
  expect(await outcomeOf(status, body)).toMatchObject({ kind });
});

it('returns the delay that the vendor requests', async () => {
  expect(await outcomeOf(429, { code: 1303 }, { 'retry-after': '4' })).toMatchObject({ retryAfterMs: 4000 });
});
