import { describe, expect, it } from 'vitest';
import { parseAuthorization, signatureOf } from './aws-signature.ts';
import { checkAwsSignature } from './check-aws-signature.ts';

/** The account of AWS's published test suite ("aws-sig-v4-test-suite"). */
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const scope = { accessKey: 'AKIDEXAMPLE', day: '20150830', region: 'us-east-1', service: 'service' };
const NOW = Date.UTC(2015, 7, 30, 12, 36);

function request(method: string, url: string, headers: Record<string, string> = {}, body = '') {
  const own = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
  return { method, url, headers: { ...own, ...headers }, body: Buffer.from(body) };
}

describe('signatureOf', () => {
  it.each([
    ['get-vanilla', request('GET', '/'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      request('GET', '/?Param2=value2&Param1=value1'),
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    ['post-vanilla', request('POST', '/'), '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-header-key-duplicate',
      request('GET', '/', { 'my-header1': 'value2,value2,value1' }),
      'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
    ],
    [
      'get-header-value-multiline',
      request('GET', '/', { 'my-header1': 'value1,value2,value3' }),
      'ba17b383a53190154eb5fa66a1b836cc297cc0a3d70a5d00705980573d8ff790',
    ],
    [
      'post-x-www-form-urlencoded',
      request('POST', '/', { 'content-type': 'application/x-www-form-urlencoded' }, 'Param1=value1'),
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('matches the published signature of %s', (_name, sent, signature) => {
    expect(signatureOf(sent, SECRET, { scope, signedHeaders: Object.keys(sent.headers).toSorted() })).toBe(signature);
  });

  it('matches the published signature of an S3 object, whose path is not encoded again', () => {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    };
    const s3 = { accessKey: 'AKIAIOSFODNN7EXAMPLE', day: '20130524', region: 'us-east-1', service: 's3' };
    const sent = { method: 'GET', url: '/test.txt', headers, body: Buffer.alloc(0) };
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    expect(signatureOf(sent, secret, { scope: s3, signedHeaders: Object.keys(headers) })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });
});

describe('parseAuthorization', () => {
  it('accepts only this scheme', () => {
    expect(parseAuthorization('Bearer x')).toBeUndefined();
    expect(parseAuthorization('AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request')).toBeUndefined();
  });
});

describe('checkAwsSignature', () => {
  const account = {
    service: 'service',
    now: NOW,
    secretOf: (key: string, token?: string) =>
      key !== 'AKIDEXAMPLE' ? undefined : token === 'old' ? ('expired' as const) : { secret: SECRET },
  };

  function signed(headers: Record<string, string> = {}, more: Partial<typeof scope> & { names?: string[] } = {}) {
    const { names, ...others } = more;
    const sent = request('POST', '/model/a%3A0/converse', headers, '{}');
    const parsed = { scope: { ...scope, ...others }, signedHeaders: names ?? Object.keys(sent.headers).toSorted() };
    const { accessKey, day, region, service } = parsed.scope;
    const credential = [accessKey, day, region, service, 'aws4_request'].join('/');
    const signature = signatureOf(sent, SECRET, parsed);
    const list = parsed.signedHeaders.join(';');
    const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${list}, Signature=${signature}`;
    return { ...sent, headers: { ...sent.headers, authorization } };
  }

  it('accepts a signature, and one with a session token', () => {
    expect(() => checkAwsSignature(signed(), account)).not.toThrow();
    expect(() => checkAwsSignature(signed({ 'x-amz-security-token': 'new' }), account)).not.toThrow();
  });

  const wrong: [string, ReturnType<typeof request>, string][] = [
    ['no signature', request('POST', '/'), 'MissingAuthenticationTokenException'],
    ['another scheme', request('POST', '/', { authorization: 'Basic eA==' }), 'IncompleteSignatureException'],
    ['another body', { ...signed(), body: Buffer.from('{ }') }, 'InvalidSignatureException'],
    ['another path', { ...signed(), url: '/model/b/converse' }, 'InvalidSignatureException'],
    ['another service', signed({}, { service: 's3' }), 'InvalidSignatureException'],
    ['an unsigned host', signed({}, { names: ['x-amz-date'] }), 'InvalidSignatureException'],
    ['an unknown key', signed({}, { accessKey: 'AKIDOTHER' }), 'UnrecognizedClientException'],
    ['an expired session', signed({ 'x-amz-security-token': 'old' }), 'ExpiredTokenException'],
  ];
  it.each(wrong)('refuses %s', (_what, sent, exception) => {
    expect(() => checkAwsSignature(sent, account)).toThrow(
      expect.objectContaining({
        status: 403,
        headers: { 'x-amzn-errortype': expect.stringMatching(new RegExp(`^${exception}:`)) },
      }),
    );
  });

  it('refuses a signature of another time', () => {
    const late = { ...account, now: NOW + 6 * 60 * 1000 };
    expect(() => checkAwsSignature(signed(), late)).toThrow('Signature expired');
  });
});
