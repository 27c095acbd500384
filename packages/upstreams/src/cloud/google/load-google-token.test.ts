import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { jsonVendor } from '../../../test/media-rig.ts';
import { readBody, startServer } from '../../../test/local-server.ts';
import { openUpstreamConnections } from '../../build-upstreams.ts';
import { loadGoogleToken } from './load-google-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const connections = openUpstreamConnections();
const { sendTokenRequest } = connections.http;
let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'google-'));
});
afterAll(async () => {
  await connections.close();
  await rm(dir, { recursive: true });
});

async function load(credentials: unknown, send = sendTokenRequest) {
  const file = path.join(dir, 'credentials.json');
  await writeFile(file, typeof credentials === 'string' ? credentials : JSON.stringify(credentials));
  return loadGoogleToken({ type: 'google-credentials', credentials_file: file }, send);
}

const machineToken = async (more: object) =>
  (await loadGoogleToken({ type: 'google-metadata', ...more }, sendTokenRequest)).value;

const account = (origin: string) => ({
  type: 'service_account',
  client_email: 'me@p.iam.gserviceaccount.com',
  private_key: PRIVATE_KEY,
  private_key_id: 'k1',
  token_uri: `${origin}/token`,
});
const workload = (origin: string, more: object = {}) => ({
  type: 'external_account',
  audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  token_url: `${origin}/sts`,
  credential_source: { url: `${origin}/subject`, format: { type: 'json', subject_token_field_name: 'id_token' } },
  ...more,
});

describe('loadGoogleToken', () => {
  it('exchanges a signed JWT at the endpoint of the key file', async () => {
    const bodies: string[] = [];
    await using server = await startServer(async (request, response) => {
      bodies.push((await readBody(request)).toString());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'ya29.one', expires_in: 3600, token_type: 'Bearer' }));
    });
    const before = Date.now();
    const { value, expiresAt } = await load(account(server.origin));
    expect(value).toBe('ya29.one');
    expect(expiresAt - before).toBeGreaterThan(3_500_000);
    expect(server.requests.map(({ method, url }) => [method, url])).toEqual([['POST', '/token']]);
    expect(server.requests[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    const sent = new URLSearchParams(bodies[0]);
    const [head = '', payload = '', signature = ''] = (sent.get('assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: 'me@p.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
    const signed = verify('sha256', Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, 'base64url'));
    expect([sent.get('grant_type'), signed]).toEqual(['urn:ietf:params:oauth:grant-type:jwt-bearer', true]);
  });

  it('exchanges the token of a workload, and impersonates a service account', async () => {
    await using vendor = await jsonVendor(({ url }) => {
      if (url === '/subject') return { body: { id_token: 'subject' } };
      if (url === '/sts') return { body: { access_token: 'federated', expires_in: 3600, token_type: 'Bearer' } };
      return { body: { accessToken: 'impersonated', expireTime: '2099-01-01T00:00:00Z' } };
    });
    expect((await load(workload(vendor.origin))).value).toBe('federated');
    const service_account_impersonation_url = `${vendor.origin}/me:generateAccessToken`;
    const urls: string[] = [];
    const impersonated = await load(workload(vendor.origin, { service_account_impersonation_url }), (request) => {
      urls.push(request.url.pathname);
      return sendTokenRequest(request);
    });
    expect(urls).toEqual(['/subject', '/sts', '/me:generateAccessToken']);
    expect(impersonated).toEqual({ value: 'impersonated', expiresAt: Date.parse('2099-01-01T00:00:00Z') });
    expect(vendor.recorded.at(-1)?.headers['authorization']).toBe('Bearer federated');
    const file = path.join(dir, 'subject');
    await writeFile(file, 'from a file');
    expect((await load(workload(vendor.origin, { credential_source: { file } }))).value).toBe('federated');
  });

  it('loads a token from the metadata server', async () => {
    await using server = await startServer((request, response) => {
      response.setHeader('metadata-flavor', 'Google');
      const [place = ''] = (request.url ?? '').split('?');
      response.end(JSON.stringify({ access_token: place, expires_in: 3600, token_type: 'Bearer' }));
    });
    vi.stubEnv('GCE_METADATA_HOST', new URL(server.origin).host);
    const base = '/computeMetadata/v1/instance/service-accounts';
    expect(await machineToken({})).toBe(`${base}/default/token`);
    expect(await machineToken({ service_account: 'a@b' })).toBe(`${base}/a@b/token`);
    expect(server.requests[0]?.headers['metadata-flavor']).toBe('Google');
    vi.unstubAllEnvs();
  });

  it('reports a refusal without the request', async () => {
    await using vendor = await jsonVendor(() => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
    }));
    const refused = load(account(vendor.origin));
    await expect(refused).rejects.toThrow('invalid_grant: Invalid JWT Signature.');
    await expect(refused.catch((error: Error) => Object.keys(error))).resolves.toEqual([]);
    expect(vendor.recorded).toHaveLength(1);
  });

  it.each([
    ['text', 'not JSON', 'the file'],
    ['another type', { type: 'authorized_user' }, 'type'],
    ['a key without its endpoint in TLS', { ...account('http://vendor.example') }, 'token_uri'],
    [
      'a program as the source',
      workload('http://127.0.0.1:1', { credential_source: { executable: {} } }),
      'credential_source',
    ],
  ])('refuses a file with %s', async (_what, credentials, field) => {
    await expect(load(credentials)).rejects.toThrow(`is not a file of credentials: ${field}`);
  });
});
