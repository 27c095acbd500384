import { Signer } from '@volcengine/openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonVendor, mediaRig, videoParams } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';
import { vendorClock } from '../media/vendor-clock.ts';
import { signer } from './sign.ts';

const PAIR = { access_key: 'AKTESTEXAMPLE', secret_key: 'c2VjcmV0LWtleS1mb3ItdGVzdHM=' };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Returns the signature headers of a POST sent at `now`. */
function signed(keys: typeof PAIR & { region?: string | undefined }, url: URL, body: string, now: number) {
  const account = { kind: 'provider-b', base_url: url.origin, ...keys };
  return signer(
    account,
    vendorClock(() => now),
  )({ method: 'POST', url, body: Buffer.from(body) });
}

it('produces the known signature of a known request', () => {
  const url = new URL('https://visual.volcengineapi.com/?Version=2022-08-31&Action=CVSync2AsyncSubmitTask');
  expect(signed(PAIR, url, '{"req_key":"jimeng_t2v_v30","prompt":"a cat"}', NOW)).toEqual({
    'x-date': '20260102T030405Z',
    'x-content-sha256': '2f281458116057487058e763801dcbee397c7b649f1cf0ab06a3f7d7a8143edb',
    authorization:
      'HMAC-SHA256 Credential=AKTESTEXAMPLE/20260102/cn-north-1/cv/request, ' +
      'SignedHeaders=host;x-content-sha256;x-date, ' +
      'Signature=0caaecd8a253542ce2b353564e28d367dcd1e3b8317c4782d4d9350e8a63c5d3',
  });
});

it('signs any request as the vendor’s own library does', () => {
  fc.assert(
    fc.property(
      // Exclude `__proto__`, because the library copies parameters into an object, which would lose this name.
      fc.dictionary(
        fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => name !== '__proto__'),
        fc.string({ unit: 'grapheme' }),
        { maxKeys: 4 },
      ),
      // Not empty, because without a body, the library signs one header fewer.
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ minLength: 1 }),
      fc.constantFrom(undefined, 'cn-beijing', 'ap-singapore-1'),
      fc.date({ min: new Date(NOW), max: new Date(NOW * 2), noInvalidDate: true }),
      (params, body, secretKey, region, date) => {
        const url = new URL('http://127.0.0.1:8080/');
        for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value);
        const theirs = { region: region ?? 'cn-north-1', method: 'POST', params, headers: { host: url.host }, body };
        new Signer(theirs, 'cv').addAuthorization({ accessKeyId: 'AK', secretKey }, date);
        const ours = signed({ access_key: 'AK', secret_key: secretKey, region }, url, body, date.getTime());
        expect(ours.authorization).toBe(Reflect.get(theirs.headers, 'Authorization'));
      },
    ),
  );
});

describe('call', () => {
  it('is signed over the exact bytes and host it is sent to', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig({ kind: 'provider-b', base_url: `${vendor.origin}/`, ...PAIR }, { now: () => NOW });
    await rig.video.submit(videoParams({ prompt: 'ein Drachen — 风筝' }), NEVER);
    const [recorded] = vendor.recorded;
    const url = new URL(vendor.origin + recorded?.url);
    const body = JSON.stringify(recorded?.body);
    expect(recorded?.url).toBe('/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31');
    expect(recorded?.headers.host).toBe(url.host);
    expect(recorded?.headers).toMatchObject(signed(PAIR, url, body, NOW));
  });

  it('is signed again by the vendor’s clock and retried once if its time was refused', async () => {
    const body = { ResponseMetadata: { Error: { CodeN: 100_006, Code: 'InvalidTimestamp', Message: 'expired' } } };
    const date = new Date(NOW + 3_600_000).toUTCString();
    await using vendor = await jsonVendor(() =>
      vendor.recorded.length === 1
        ? { status: 400, body, headers: { date } }
        : { body: { code: 10_000, data: { task_id: '77' } } },
    );
    await using rig = mediaRig({ kind: 'provider-b', base_url: vendor.origin, ...PAIR }, { now: () => NOW });
    expect(await rig.video.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'accepted', upstreamId: '77' });
    expect(vendor.recorded.map(({ headers }) => headers['x-date'])).toEqual(['20260102T030405Z', '20260102T040405Z']);
  });
});

it.each([{}, { access_key: 'AK' }, { secret_key: 'SK' }, { api_key: 'key' }])('requires a key pair: %o', (half) => {
  expect(() => mediaRig({ kind: 'provider-b', base_url: 'https://jimeng.example', ...half })).toThrow(/access_key/);
});
