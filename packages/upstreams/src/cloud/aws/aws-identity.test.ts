import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AwsServer, startAws } from '../../../test/aws-server.ts';
import { mediaJob, mediaRig } from '../../../test/media-rig.ts';
import { textCall, textOf, textRig } from '../../../test/text-rig.ts';
import type { AwsIdentity } from '../../contract/identity-settings.ts';

const ROLE = 'arn:aws:iam::123456789012:role/sluice';
const KEYS = { type: 'aws-access-key', access_key: 'AKID', secret_key: 'the-secret-key' } as const;

let folder = '';
let aws: AwsServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-aws-'));
  await writeFile(path.join(folder, 'token'), 'platform-token');
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => void (aws = await startAws()));
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws[Symbol.asyncDispose]();
});

const inFolder = (name: string) => path.join(folder, name);
const profile = (key: string) => `[ours]\naws_access_key_id = ${key}\naws_secret_access_key = s\n`;

type Fields<T> = T extends AwsIdentity ? Omit<T, 'region' | 'session_name'> : never;

function rig(identity: Fields<AwsIdentity>, kind = 'bedrock') {
  const common = { region: 'eu-north-1', session_name: 'sluice', sts_endpoint: aws.origin };
  const settings: AwsIdentity = { ...common, ...identity };
  return textRig({ kind, base_url: aws.origin, identity: settings });
}

async function statusOf({ text }: ReturnType<typeof textRig>) {
  const response = await text.open(textCall());
  await textOf(response);
  return response.status;
}

describe('an identity of AWS', () => {
  it('signs with an access key, for each kind', async () => {
    for (const kind of ['bedrock', 'chat-completions', 'responses', 'messages']) {
      await using account = rig({ ...KEYS, session_token: 'mine' }, kind);
      expect(await statusOf(account)).toBe(200);
      expect(account.text.scrub('AKID the-secret-key')).toBe('[hidden] [hidden]');
    }
    expect(aws.calls).toEqual(Array.from({ length: 4 }, () => 'AKID mine eu-north-1 bedrock'));
    expect(aws.asked).toEqual([]);
  });

  it('assumes a role, once for calls at the same time, and again when AWS rejects the credential', async () => {
    await using account = rig({ ...KEYS, assume_role: ROLE, external_id: 'ours' });
    expect(await Promise.all([1, 2, 3].map(() => statusOf(account)))).toEqual([200, 200, 200]);
    const parameters = { Action: 'AssumeRole', RoleArn: ROLE, RoleSessionName: 'sluice', ExternalId: 'ours' };
    expect(aws.asked.map((one) => one.split(' ')[0])).toEqual(['AKID']);
    expect(JSON.parse(aws.asked[0]?.slice('AKID '.length) ?? '')).toMatchObject(parameters);
    aws.expire('ASIA1');
    expect(await statusOf(account)).toBe(200);
    expect(aws.calls.slice(-2)).toEqual(['ASIA1 token-1 eu-north-1 bedrock', 'ASIA2 token-2 eu-north-1 bedrock']);
    expect(account.text.scrub('token-2 secret-2')).toBe('[hidden] [hidden]');
  });

  it('exchanges a token of the platform for a role', async () => {
    await using account = rig({ type: 'aws-web-identity', role_arn: ROLE, token_file: inFolder('token') });
    expect(await statusOf(account)).toBe(200);
    expect(aws.asked).toEqual([expect.stringMatching(/^unsigned .*"AssumeRoleWithWebIdentity".*"platform-token"/)]);
    expect(aws.calls).toEqual(['ASIA1 token-1 eu-north-1 bedrock']);
  });

  it('reads the credentials of a container, and nothing from the environment', async () => {
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', '/elsewhere');
    await using account = rig({ type: 'aws-container', url: `${aws.origin}/container`, token_file: inFolder('token') });
    expect(await statusOf(account)).toBe(200);
    expect([aws.asked, aws.calls]).toEqual([['/container platform-token'], ['ASIA1 token-1 eu-north-1 bedrock']]);
  });

  it('reads the credentials of an instance with a session of the metadata service', async () => {
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', aws.origin);
    await using account = rig({ type: 'aws-instance' });
    expect(await statusOf(account)).toBe(200);
    const below = '/latest/meta-data/iam/security-credentials/';
    expect(aws.asked).toEqual(['/latest/api/token', below, `${below}role`]);
    expect(aws.calls).toEqual(['ASIA1 token-1 eu-north-1 bedrock']);
  });

  it('reads a profile, and reads it again when AWS rejects its key', async () => {
    const file = inFolder('credentials');
    await writeFile(file, profile('AKIDOLD'));
    await using account = rig({ type: 'aws-profile', profile: 'ours', credentials_file: file, config_file: file });
    expect(await statusOf(account)).toBe(200);
    await writeFile(file, profile('AKIDNEW'));
    expect(await statusOf(account)).toBe(200);
    aws.expire('AKIDOLD');
    expect(await statusOf(account)).toBe(200);
    const keys = aws.calls.map((call) => call.split(' ')[0]);
    expect(keys).toEqual(['AKIDOLD', 'AKIDOLD', 'AKIDOLD', 'AKIDNEW']);
  });

  it('reports a missing credential without a call to the vendor', async () => {
    aws.failCredentials();
    await using account = rig({ ...KEYS, assume_role: ROLE });
    await expect(account.text.open(textCall())).rejects.toMatchObject({ failure: 'credential', sent: 'no' });
    expect(aws.calls).toEqual([]);
  });

  it('never calls a host that the identity does not name', async () => {
    const file = inFolder('config');
    const sso = [
      'sso_start_url = https://a.example',
      'sso_region = us-east-1',
      'sso_account_id = 1',
      'sso_role_name = r',
    ];
    const role = `[profile ours]\nrole_arn = ${ROLE}\nsource_profile = base\nendpoint_url = ${aws.origin}\n`;
    await writeFile(file, `${role}[profile base]\n${sso.join('\n')}\n`);
    await using account = rig({ type: 'aws-profile', profile: 'ours', credentials_file: file, config_file: file });
    await expect(account.text.open(textCall())).rejects.toMatchObject({ failure: 'credential', sent: 'no' });
    expect(aws.asked).toEqual([]);
  });
});

describe('a download from S3', () => {
  it('is signed for S3, and repeated with another credential if the first has expired', async () => {
    const identity = {
      ...KEYS,
      assume_role: ROLE,
      region: 'eu-north-1',
      session_name: 'sluice',
      sts_endpoint: aws.origin,
    };
    const storage = { output_uri: 's3://bucket/videos', s3_endpoint: `${aws.origin}/s3` };
    await using account = mediaRig({ kind: 'bedrock', base_url: aws.origin, identity, ...storage });
    const open = async (place = 'videos') => {
      const output = { index: 0, url: `${aws.origin}/s3/bucket/${place}/a/output.mp4` };
      const outcome = await account.video.openContent(mediaJob(aws.origin), output, AbortSignal.timeout(10_000));
      if (outcome.kind !== 'opened') return outcome.kind;
      const chunks: Uint8Array[] = [];
      for await (const chunk of outcome.body) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect(await open()).toBe('the clip');
    aws.expire('ASIA1');
    expect(await open()).toBe('the clip');
    expect(aws.calls).toEqual(['ASIA1 token-1', 'ASIA1 token-1', 'ASIA2 token-2'].map((key) => `${key} eu-north-1 s3`));
    // A missing permission does not make other calls wait for another credential.
    expect(await open('denied')).toBe('unclear');
    expect(await open()).toBe('the clip');
    expect(aws.asked).toHaveLength(2);
  });
});
