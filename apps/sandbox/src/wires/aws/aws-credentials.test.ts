import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { fromHttp, fromInstanceMetadata, fromTemporaryCredentials, fromTokenFile } from '@aws-sdk/credential-providers';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSandbox } from '../../start-sandbox.ts';
import { signatureOf } from './aws-signature.ts';

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let folder = '';
let time = Date.now();
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => time });
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-sandbox-'));
  await writeFile(path.join(folder, 'token'), 'sk-sandbox');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

type Config = ConstructorParameters<typeof BedrockRuntimeClient>[0];
type Credentials = NonNullable<NonNullable<Config>['credentials']>;

const KEYS = { accessKeyId: 'ak-sandbox', secretAccessKey: 'sk-sandbox' };
const roleArn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;

function client(credentials: Credentials): BedrockRuntimeClient {
  const endpoint = `${sandbox.url}/bedrock`;
  const requestHandler = new NodeHttpHandler();
  return new BedrockRuntimeClient({ endpoint, region: 'us-east-1', maxAttempts: 1, requestHandler, credentials });
}

function converse(credentials: Credentials | BedrockRuntimeClient) {
  const bedrock = credentials instanceof BedrockRuntimeClient ? credentials : client(credentials);
  const messages = [{ role: 'user' as const, content: [{ text: 'Hi' }] }];
  return bedrock.send(new ConverseCommand({ modelId: 'amazon.nova-lite-v1:0', messages }));
}

/** `fromTemporaryCredentials` of AWS's library calls STS of the sandbox. */
function assumed(role: string, masterCredentials = KEYS) {
  const clientConfig = { region: 'us-east-1', endpoint: `${sandbox.url}/aws/sts`, maxAttempts: 1 };
  const params = { RoleArn: roleArn(role), RoleSessionName: 'test' };
  return fromTemporaryCredentials({ masterCredentials, params, clientConfig });
}

const ENDED = { stopReason: 'end_turn' };

describe('AWS’s credential library', () => {
  it('assumes a role', async () => {
    expect(await converse(assumed('plain'))).toMatchObject(ENDED);
  });

  it('exchanges a web identity token', async () => {
    const clientConfig = { region: 'us-east-1', endpoint: `${sandbox.url}/aws/sts`, maxAttempts: 1 };
    const webIdentityTokenFile = path.join(folder, 'token');
    const options = { roleArn: roleArn('plain'), roleSessionName: 'test', clientConfig };
    expect(await converse(fromTokenFile({ ...options, webIdentityTokenFile }))).toMatchObject(ENDED);
    await writeFile(path.join(folder, 'wrong'), 'another');
    const wrong = fromTokenFile({ ...options, webIdentityTokenFile: path.join(folder, 'wrong') });
    await expect(converse(wrong)).rejects.toMatchObject({ name: 'InvalidIdentityTokenException' });
  });

  it('reads the credentials of a container', async () => {
    const awsContainerCredentialsFullUri = `${sandbox.url}/aws/container`;
    const options = { awsContainerCredentialsFullUri, maxRetries: 0 };
    expect(await converse(fromHttp({ ...options, awsContainerAuthorizationToken: 'sk-sandbox' }))).toMatchObject(ENDED);
    await expect(converse(fromHttp({ ...options, awsContainerAuthorizationToken: 'wrong' }))).rejects.toThrow();
  });

  it('reads the credentials of an instance', async () => {
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', sandbox.url);
    expect(await converse(fromInstanceMetadata({ ec2MetadataV1Disabled: true }))).toMatchObject(ENDED);
    const bare = await fetch(`${sandbox.url}/latest/meta-data/iam/security-credentials/`);
    expect(bare.status).toBe(401);
  });

  it.each([
    ['denied', KEYS, 'AccessDenied'],
    ['outage', KEYS, 'ServiceUnavailable'],
    ['plain', { ...KEYS, secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
  ])('is refused the role %s with %j', async (role, keys, name) => {
    await expect(assumed(role, keys)()).rejects.toMatchObject({ name });
  });
});

describe('a session', () => {
  it('ends early on demand', async () => {
    const bedrock = client(await assumed('expired')());
    expect(await converse(bedrock)).toMatchObject(ENDED);
    await expect(converse(bedrock)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
  });

  it('ends after its time', async () => {
    const credentials = await assumed('short')();
    expect(await converse(credentials)).toMatchObject(ENDED);
    time += 3_000;
    await expect(converse(credentials)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
  });

  it('needs its own token and secret', async () => {
    const credentials = await assumed('plain')();
    const wrongToken = converse({ ...credentials, sessionToken: 'wrong' });
    await expect(wrongToken).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    const wrongSecret = converse({ ...credentials, secretAccessKey: 'wrong' });
    await expect(wrongSecret).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  });
});

describe('the APIs of OpenAI and Anthropic at Bedrock', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const body = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages }));
  const scope = { accessKey: 'ak-sandbox', region: 'us-east-1', service: 'bedrock' };

  it.each([
    ['/bedrock/openai/v1/chat/completions', 'sk-sandbox', 200],
    ['/bedrock/openai/v1/chat/completions', 'wrong', 403],
    ['/bedrock/anthropic/v1/messages', 'sk-sandbox', 200],
    ['/bedrock/anthropic/v1/messages', 'wrong', 403],
  ])('check the signature of a request to %s with the secret %s', async (url, secret, status) => {
    const date = new Date(time).toISOString().replaceAll(/[:-]|\.\d+/g, '');
    const headers = { host: new URL(sandbox.url).host, 'x-amz-date': date };
    const parsed = { scope: { ...scope, day: date.slice(0, 8) }, signedHeaders: ['host', 'x-amz-date'] };
    const signature = signatureOf({ method: 'POST', url, headers, body }, secret, parsed);
    const credential = `ak-sandbox/${parsed.scope.day}/us-east-1/bedrock/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=${signature}`;
    const sent = { 'x-amz-date': date, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };
    const response = await fetch(sandbox.url + url, { method: 'POST', headers: { ...sent, authorization }, body });
    expect(response.status).toBe(status);
  });
});
