import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaJob, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';
import { vendorClock } from '../media/vendor-clock.ts';
import { signer } from './sign.ts';

const PAIR = { access_key: 'AKTEST', secret_key: 'SKTEST' };
const NOW = 1_767_323_045_000;
/** Returns the `authorization` header of a call signed at `now`. */
function signedAt(now: number): string | undefined {
  const sign = signer(
    { kind: 'provider-a', base_url: 'https://kling.example', ...PAIR },
    vendorClock(() => now),
  );
  return sign({ method: 'GET', url: new URL('https://kling.example/') }).authorization;
}
/** Returns the payload of a token, which contains its times. */
const timesOf = (authorization: string | undefined): unknown =>
  JSON.parse(Buffer.from(authorization?.split('.')[1] ?? '', 'base64url').toString());

it('produces the vendor’s sample token, byte for byte', () => {
  expect(signedAt(NOW)).toBe(
    'Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBS1RFU1QiLCJleHAiOjE3NjczMjQ4NDUsIm5iZiI6MTc2NzMyMzA0MH0.5OjGnjp5ZN45I7lSBf28cFws0iAge2Q01aSOY_pEdlw',
  );
});

it('sends the API key, or a fresh token from the key pair', async () => {
  await using vendor = await jsonVendor(() => ({ body: { code: 0, data: { task_id: '1' } } }));
  let now = NOW;
  await using keyed = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1', ...PAIR });
  await using paired = mediaRig({ kind: 'provider-a', base_url: vendor.origin, ...PAIR }, { now: () => now });
  await keyed.video.submit(videoParams({}), NEVER);
  await paired.video.submit(videoParams({}), NEVER);
  now += 1000;
  await paired.video.poll(mediaJob(vendor.origin), NEVER);
  const tokens = vendor.recorded.map(({ headers }) => headers.authorization);
  expect(tokens).toEqual(['Bearer key-1', signedAt(NOW), signedAt(NOW + 1000)]);
});

it('polls a job at another origin without a credential', async () => {
  await using vendor = await jsonVendor(() => ({ body: {} }));
  await using rig = mediaRig({ kind: 'provider-a', base_url: 'https://kling.example', ...PAIR });
  await rig.video.poll(mediaJob(vendor.origin), NEVER);
  expect(vendor.recorded[0]?.headers.authorization).toBeUndefined();
});

describe('submission with a wrong token time', () => {
  const DATE = new Date(NOW + 90_000).toUTCString();

  it.each([1003, 1004])('is signed again by the vendor’s clock and retried once: code %i', async (code) => {
    await using vendor = await jsonVendor(() =>
      vendor.recorded.length === 1
        ? { status: 401, body: { code }, headers: { date: DATE } }
        : { body: { code: 0, data: { task_id: '77' } } },
    );
    await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, ...PAIR }, { now: () => NOW });
    expect(await rig.video.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'accepted', upstreamId: '77' });
    const [first, second] = vendor.recorded;
    expect(second?.body).toEqual(first?.body);
    expect(timesOf(first?.headers.authorization)).toMatchObject({ exp: NOW / 1000 + 1800 });
    expect(timesOf(second?.headers.authorization)).toMatchObject({ exp: NOW / 1000 + 1890 });
  });

  it('is refused for its credential if the retry fails too', async () => {
    await using vendor = await jsonVendor(() => ({ status: 401, body: { code: 1004 } }));
    await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, ...PAIR });
    expect(await rig.video.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'account', code: 'provider_auth' });
    expect(vendor.recorded).toHaveLength(2);
  });

  it('is not retried if the credential has no time', async () => {
    await using vendor = await jsonVendor(() => ({ status: 401, body: { code: 1004 } }));
    await using rig = mediaRig({ kind: 'provider-a', base_url: vendor.origin, api_key: 'key-1' });
    expect(await rig.video.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'account', code: 'provider_auth' });
    expect(vendor.recorded).toHaveLength(1);
  });
});

it.each([{}, { access_key: 'AKTEST' }, { secret_key: 'SKTEST' }])('requires a credential: %o', (half) => {
  expect(() => mediaRig({ kind: 'provider-a', base_url: 'https://kling.example', ...half })).toThrow(
    /needs an api_key/,
  );
});
