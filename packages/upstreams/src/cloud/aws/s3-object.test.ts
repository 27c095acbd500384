import { describe, expect, it } from 'vitest';
import { belowEndpoint, objectUrl, s3EndpointOf, controlUrlOf } from './s3-object.ts';

describe('s3EndpointOf', () => {
  it.each([
    ['https://bedrock-runtime.us-west-2.amazonaws.com', undefined, 'https://s3.us-west-2.amazonaws.com'],
    [
      'https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com',
      undefined,
      'https://s3.eu-central-1.amazonaws.com',
    ],
    ['https://bedrock-runtime.cn-north-1.amazonaws.com.cn', undefined, 'https://s3.cn-north-1.amazonaws.com.cn'],
    ['https://proxy.example', undefined, 'https://s3.us-east-1.amazonaws.com'],
    ['https://bedrock-runtime.us-west-2.amazonaws.com', 'https://vpce-1.s3.example/', 'https://vpce-1.s3.example'],
  ])('of %s with %s is %s', (base_url, s3_endpoint, endpoint) => {
    expect(s3EndpointOf({ base_url, s3_endpoint })).toBe(endpoint);
  });
});

it.each([
  ['https://s3.example', 'https://s3.example', '/bucket/key', true],
  ['https://s3.example', 'https://other.example', '/bucket/key', false],
  ['http://127.0.0.1:1/s3', 'http://127.0.0.1:1', '/s3/bucket/key', true],
  ['http://127.0.0.1:1/s3', 'http://127.0.0.1:1', '/s3x/bucket', false],
  ['http://127.0.0.1:1/s3', 'http://127.0.0.1:1', '/model/a/invoke', false],
])('below %s: %s%s is %s', (endpoint, origin, path, expected) => {
  expect(belowEndpoint(endpoint)({ origin, path })).toBe(expected);
});

describe('objectUrl', () => {
  it('encodes each segment of the key', () => {
    const url = 'https://s3.example/a-bucket/one%20folder/a%2B%28b%29/output.mp4';
    expect(objectUrl('https://s3.example', 's3://a-bucket/one folder/a+(b)/output.mp4')).toBe(url);
  });

  it.each(['gs://a/b', 's3://bucket', 's3:///key', 's3://../key', 's3://a/b/../c', 's3://a/.', 'https://a/b'])(
    'refuses %s',
    (uri) => {
      expect(objectUrl('https://s3.example', uri)).toBeUndefined();
    },
  );
});

describe('controlUrlOf', () => {
  it.each([
    ['https://bedrock-runtime.us-east-1.amazonaws.com', 'https://bedrock.us-east-1.amazonaws.com'],
    [
      'https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com',
      'https://vpce-1.bedrock.eu-west-1.vpce.amazonaws.com',
    ],
    ['http://127.0.0.1:8079/bedrock', 'http://127.0.0.1:8079/bedrock'],
  ])('of %s is %s', (base_url, url) => {
    expect(controlUrlOf({ base_url })).toBe(url);
  });
});
