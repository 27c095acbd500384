import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readBody, startServer } from '../../../test/local-server.ts';
import { textCall, textOf, textRig } from '../../../test/text-rig.ts';
import { createAwsSigner, scopeOf } from './aws-signer.ts';

const NOW = Date.UTC(2015, 7, 30, 12, 36);
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET };
const SCOPE = { service: 'bedrock', region: 'eu-west-1' };

const digest = (data: string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

interface Expected {
  method?: string;
  service?: string;
  path: string;
  query?: string;
  body: string;
  host: string;
  token?: string;
}

/** The `authorization` header by AWS's description. */
function expectedAuthorization(expected: Expected): string {
  const { method = 'POST', service = 'bedrock', path, query = '', body, host, token } = expected;
  const headers = {
    host,
    'x-amz-content-sha256': digest(body),
    'x-amz-date': '20150830T123600Z',
    ...(token !== undefined && { 'x-amz-security-token': token }),
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = [method, path, query, lines.join(''), names, digest(body)].join('\n');
  const scope = `20150830/eu-west-1/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', '20150830T123600Z', scope, digest(canonical)];
  const key = hmac(hmac(hmac(hmac(`AWS4${SECRET}`, '20150830'), 'eu-west-1'), service), 'aws4_request');
  const signature = hmac(key, text.join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

describe('createAwsSigner', () => {
  const sign = createAwsSigner(SCOPE, () => NOW);

  it.each([
    ['text', '{"a":"grüß"}', '{"a":"grüß"}'],
    ['bytes', Buffer.from('{"a":1}'), '{"a":1}'],
    ['chunks', [Buffer.from('{"a'), Buffer.from('":1}')], '{"a":1}'],
  ])('signs %s', async (_what, body, text) => {
    const path = '/model/a.b-v1%3A0/converse';
    const headers = await sign({ method: 'POST', origin: 'https://vendor.example:8443', path, body }, KEYS);
    const signed = { path: '/model/a.b-v1%253A0/converse', body: text, host: 'vendor.example:8443' };
    expect(headers).toEqual({
      authorization: expectedAuthorization(signed),
      'x-amz-content-sha256': digest(text),
      'x-amz-date': '20150830T123600Z',
    });
  });

  it('signs a session token and a query', async () => {
    const call = {
      method: 'POST',
      origin: 'https://vendor.example',
      path: '/v1/messages?beta=true&a=b%20c',
      body: '{}',
    };
    const headers = await sign(call, { ...KEYS, sessionToken: 'a-token' });
    const signed = { path: '/v1/messages', query: 'a=b%20c&beta=true', body: '{}', host: 'vendor.example' };
    expect(headers).toMatchObject({
      authorization: expectedAuthorization({ ...signed, token: 'a-token' }),
      'x-amz-security-token': 'a-token',
    });
  });
});

it('encodes the path of an object in S3 only once', async () => {
  const sign = createAwsSigner({ ...SCOPE, service: 's3' }, () => NOW);
  const path = '/bucket/one%20folder/a%2Bb/output.mp4';
  const headers = await sign({ method: 'GET', origin: 'https://s3.example', path, body: '' }, KEYS);
  const signed = { method: 'GET', service: 's3', path, body: '', host: 's3.example' };
  expect(headers).toMatchObject({
    authorization: expectedAuthorization(signed),
    'x-amz-content-sha256': digest(''),
  });
});

describe('scopeOf', () => {
  it.each([
    ['https://bedrock-runtime.us-west-2.amazonaws.com', 'us-west-2', 'bedrock'],
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1', 'bedrock'],
    ['https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com', 'eu-central-1', 'bedrock'],
    ['https://bedrock-mantle.us-west-2.api.aws/anthropic', 'us-west-2', 'bedrock-mantle'],
    ['http://127.0.0.1:8079/bedrock', 'eu-north-1', 'bedrock'],
  ])('of %s is %s, %s', (url, region, service) => {
    const identity = { type: 'aws-instance', region: 'eu-north-1', session_name: 'sluice' } as const;
    expect(scopeOf({ base_url: url, identity })).toEqual({ service, region });
  });
});

describe('an account with a key pair', () => {
  it('signs the body that it sends, with and without a stream', async () => {
    const received: [string | undefined, string][] = [];
    await using server = await startServer(async (request, response) => {
      received.push([request.headers['x-amz-content-sha256'] as string, digest((await readBody(request)).toString())]);
      response.end('{}');
    });
    const pair = { access_key: 'AKIDEXAMPLE', secret_key: SECRET };
    await using rig = textRig({ kind: 'bedrock', base_url: server.origin, ...pair });
    await textOf(await rig.text.open(textCall()));
    await textOf(await rig.text.open(textCall({ stream: false, body: [Buffer.from('{"a":'), Buffer.from('1}')] })));
    for (const [signed, actual] of received) expect(signed).toBe(actual);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      expect.stringContaining('AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/'),
      expect.stringContaining('/us-east-1/bedrock/aws4_request'),
    ]);
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain(SECRET);
  });

  it('hides both keys, and has an account id of its own', () => {
    const account = { kind: 'bedrock', base_url: 'https://a.example', access_key: 'AKIDEXAMPLE', secret_key: SECRET };
    const { text } = textRig(account);
    expect(text.scrub(`AKIDEXAMPLE and ${SECRET}`)).toBe('[hidden] and [hidden]');
    expect(textRig({ ...account, access_key: 'AKIDOTHER' }).text.account).not.toBe(text.account);
  });
});
