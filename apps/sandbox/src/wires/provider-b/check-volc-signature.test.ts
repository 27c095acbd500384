import volc from '@volcengine/openapi';
import { describe, expect, it } from 'vitest';
import { WireError } from '../../http/wire-error.ts';
import { checkVolcSignature, type VolcAccount } from './check-volc-signature.ts';
import type { SignedRequest } from './volc-signature.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const account: VolcAccount = {
  accessKey: 'AKTESTEXAMPLE',
  secretKey: 'c2VjcmV0LWtleS1mb3ItdGVzdHM=',
  region: 'cn-north-1',
  service: 'cv',
  now: NOW,
};
const body = Buffer.from('{"req_key":"jimeng_t2v_v30","prompt":"a cat"}');
const bodyHash = '2f281458116057487058e763801dcbee397c7b649f1cf0ab06a3f7d7a8143edb';
const headers = {
  host: 'visual.volcengineapi.com',
  'content-type': 'application/json',
  'x-date': '20260102T030405Z',
  'x-content-sha256': bodyHash,
};
const FEW = 'host;x-content-sha256;x-date';
const FEW_SIGNATURE = '0caaecd8a253542ce2b353564e28d367dcd1e3b8317c4782d4d9350e8a63c5d3';
const MANY = `content-type;${FEW}`;
const MANY_SIGNATURE = 'f65ae04d90ecd773036c0ed56de289c1c82e46e1161fe33aacff812bef90c674';

function authorization(signedHeaders: string, signature: string, scope = '20260102/cn-north-1/cv/request'): string {
  return `HMAC-SHA256 Credential=AKTESTEXAMPLE/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

function request(more: Record<string, string | undefined> = {}): SignedRequest {
  const url = '/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31';
  return {
    method: 'POST',
    url,
    headers: { ...headers, authorization: authorization(FEW, FEW_SIGNATURE), ...more },
    body,
  };
}

function decision(signed: SignedRequest, now = NOW): unknown {
  try {
    checkVolcSignature(signed, { ...account, now });
    return 'ok';
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return [error.status, Object(error.body('')).ResponseMetadata.Error.Code];
  }
}

const MISMATCH = [401, 'SignatureDoesNotMatch'];

describe('checkVolcSignature', () => {
  it('accepts either list of signed headers', () => {
    expect(decision(request())).toBe('ok');
    expect(decision(request({ authorization: authorization(MANY, MANY_SIGNATURE) }))).toBe('ok');
  });

  it('accepts a signature without a hash in the headers', () => {
    const own = request();
    const bare = { ...own.headers, 'x-content-sha256': undefined };
    // The signature includes the hash of the body, so it no longer matches.
    expect(decision({ ...own, headers: bare })).toEqual(MISMATCH);
  });

  it.each([
    ['no signature', { authorization: undefined }, [400, 'MissingRequestInfo']],
    ['no time', { 'x-date': undefined }, [400, 'MissingRequestInfo']],
    ['no time to speak of', { 'x-date': 'today' }, [400, 'InvalidTimestamp']],
    ['another time', { 'x-date': '20260102T030406Z' }, MISMATCH],
    ['another host', { host: 'other' }, MISMATCH],
    ['another hash', { 'x-content-sha256': bodyHash.replace('2', '3') }, MISMATCH],
    [
      'another key',
      { authorization: authorization(FEW, FEW_SIGNATURE).replace('AKTEST', 'AKOTHER') },
      [401, 'InvalidAccessKey'],
    ],
    ['another signature', { authorization: authorization(FEW, MANY_SIGNATURE) }, MISMATCH],
    ['another list', { authorization: authorization(MANY, FEW_SIGNATURE) }, MISMATCH],
    ['an unsigned time', { authorization: authorization('host', FEW_SIGNATURE) }, MISMATCH],
    [
      'another region',
      { authorization: authorization(FEW, FEW_SIGNATURE, '20260102/cn-north-2/cv/request') },
      MISMATCH,
    ],
    [
      'another service',
      { authorization: authorization(FEW, FEW_SIGNATURE, '20260102/cn-north-1/imagex/request') },
      MISMATCH,
    ],
    ['another day', { authorization: authorization(FEW, FEW_SIGNATURE, '20260103/cn-north-1/cv/request') }, MISMATCH],
    ['a Bearer key', { authorization: 'Bearer sk-sandbox' }, MISMATCH],
  ])('rejects %s', (_name, more, expected) => {
    expect(decision(request(more))).toEqual(expected);
  });

  it('rejects another method, query, or body', () => {
    const own = request();
    expect(decision({ ...own, method: 'GET' })).toEqual(MISMATCH);
    expect(decision({ ...own, url: `${own.url}&more=1` })).toEqual(MISMATCH);
    expect(decision({ ...own, body: Buffer.from(`${body.toString()} `) })).toEqual(MISMATCH);
  });

  it('tolerates a clock skew of a quarter of an hour', () => {
    const deferredChecks = 15 * 60 * 1000;
    expect([NOW + deferredChecks, NOW - deferredChecks].map((now) => decision(request(), now))).toEqual(['ok', 'ok']);
    const expired = [400, 'InvalidTimestamp'];
    expect([NOW + deferredChecks + 1, NOW - deferredChecks - 1].map((now) => decision(request(), now))).toEqual([
      expired,
      expired,
    ]);
  });

  it('agrees with Volcengine’s own signer on queries that must be encoded', () => {
    const params = { Version: '2022-08-31', Action: 'Odd', 'a b': "it's (1*2)!", ü: 'x+y/z&=~' };
    const signed = { region: 'cn-north-1', method: 'POST', params, pathname: '/', headers: { host: 'h' }, body: '{}' };
    const signer = new volc.Signer(signed, 'cv');
    signer.addAuthorization({ accessKeyId: account.accessKey, secretKey: account.secretKey }, new Date(NOW));
    const sent = Object.entries<unknown>(signed.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const url = `/?${new URLSearchParams(params).toString()}`;
    const signedRequest = { method: 'POST', url, headers: Object.fromEntries(sent), body: Buffer.from('{}') };
    expect(decision(signedRequest)).toBe('ok');
  });
});
