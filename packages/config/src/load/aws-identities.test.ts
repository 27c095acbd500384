import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { redactConfig } from '../settings/redact-config.ts';
import { upstreamSettings } from '../settings/upstream-settings.ts';
import { loadConfig } from './load-config.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'sluice-config-'));
});
afterEach(() => rm(cwd, { recursive: true }));

async function load(identity: string, kind = 'bedrock') {
  const host = 'https://bedrock-runtime.eu-west-1.amazonaws.com';
  const lines = ['upstreams:', '  aws:', `    kind: ${kind}`, `    base_url: ${host}`, `    identity: ${identity}`];
  await writeFile(path.join(cwd, 'sluice.yaml'), `${lines.join('\n')}\n`);
  return loadConfig({ env: { SLUICE_KEY: 'sk-some-key' }, cwd });
}

const ROLE = 'arn:aws:iam::123456789012:role/sluice';
const KEYS = 'type: aws-access-key, access_key: AKID, secret_key: a-secret-of-aws';
const ROLE_FORM = 'must be the ARN of a role, e.g. arn:aws:iam::123456789012:role/sluice; change it.';

describe('identities of AWS', () => {
  it('have defaults, for all kinds that Bedrock serves', async () => {
    for (const kind of ['bedrock', 'chat-completions', 'responses', 'messages']) {
      const config = await load(`{ type: aws-profile }`, kind);
      expect(upstreamSettings(config).upstreams['aws']?.identity).toEqual({
        type: 'aws-profile',
        profile: 'default',
        region: 'us-east-1',
        session_name: 'sluice',
      });
    }
  });

  it('do not show their secrets', async () => {
    const config = await load(`{ ${KEYS}, session_token: a-token-of-aws }`);
    expect(JSON.stringify(redactConfig(config))).not.toMatch(/a-(?:secret|token)-of-aws/);
  });

  it.each([
    '{ type: aws-instance }',
    '{ type: aws-container, url: "http://169.254.170.2/v2/credentials/x" }',
    '{ type: aws-container, url: "http://169.254.170.23/v1/credentials", token_file: /var/run/token }',
    `{ type: aws-web-identity, role_arn: "${ROLE}", token_file: /var/run/token, sts_endpoint: "http://127.0.0.1:1" }`,
    `{ ${KEYS}, assume_role: "${ROLE}", external_id: ours, session_name: gateway, region: us-gov-west-1 }`,
  ])('accept %s', async (identity) => {
    expect((await load(identity)).upstreams['aws']?.identity).toBeDefined();
  });

  it.each([
    ['{ type: aws-instanc }', '5:23 ….type: `aws-instanc` is not a known value; did you mean `aws-instance`?'],
    [`{ type: aws-web-identity, token_file: t }`, '5:15 ….role_arn: is required; add `role_arn` here.'],
    [`{ type: aws-instance, assume_role: sluice }`, `5:50 ….assume_role: ${ROLE_FORM}`],
    [`{ type: aws-web-identity, role_arn: r, token_file: t }`, `5:51 ….role_arn: ${ROLE_FORM}`],
    [`{ type: aws-instance, region: mars }`, '5:45 ….region: must be a region, e.g. us-east-1; change it.'],
    [`{ type: aws-instance, profile: p }`, '5:37 ….profile: is not a known field;'],
    [
      '{ type: aws-container, url: "http://10.0.0.1/creds" }',
      '5:43 ….url: must be an https:// URL, or an address of the container platform or of the same machine; change it.',
    ],
    [
      `{ type: aws-instance, sts_endpoint: "http://sts.example" }`,
      '5:51 ….sts_endpoint: must be an https:// URL, unless its host is on the same machine; change it.',
    ],
    [
      `{ type: aws-instance, session_name: "a b" }`,
      '5:51 ….session_name: must have 2 to 64 letters, digits, or characters of _+=,.@-; change it.',
    ],
  ])('report file, line, column, and remedy of %s', async (identity, expected) => {
    await expect(load(identity)).rejects.toThrow(`sluice.yaml:${expected.replace('…', 'upstreams.aws.identity')}`);
  });

  it.each([
    ['output_uri: bucket', '6:17 upstreams.aws.output_uri: must be a folder in Cloud Storage or S3'],
    [
      'output_uri: gs://bucket',
      '6:17 upstreams.aws.output_uri: must start with `s3://` for kind `bedrock`; name a folder',
    ],
    ['output_uri: s3://bucket/a/..', '6:17 upstreams.aws.output_uri: must be a folder in Cloud Storage or S3'],
    ['s3_endpoint: https://a:b@s3.example/?c', '6:18 upstreams.aws.s3_endpoint: must be a URL without a query'],
    ['s3_endpoint: http://s3.example', '6:18 upstreams.aws.s3_endpoint: must be an https:// URL, unless'],
    ['s3_endpoint: https://s3.example', '6:18 upstreams.aws.s3_endpoint: has no effect without `output_uri`; set'],
  ])('report the place of a wrong folder of videos: %s', async (field, expected) => {
    await expect(load(`{ type: aws-instance }\n    ${field}`)).rejects.toThrow(`sluice.yaml:${expected}`);
  });

  it('are for some kinds only', async () => {
    await expect(load('{ type: aws-instance }', 'ark')).rejects.toThrow('`aws-instance` is for other kinds');
    await expect(load('{ type: azure-managed-identity }')).rejects.toThrow(
      '`azure-managed-identity` is for other kinds',
    );
  });
});
