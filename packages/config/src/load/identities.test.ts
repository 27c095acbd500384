import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useConfigFolder } from '../../test/config-folder.ts';
import { describeConfig } from '../settings/describe-config.ts';
import { redactConfig } from '../settings/redact-config.ts';
import { secretsOf } from '../settings/secrets-of.ts';
import { upstreamSettings } from '../settings/upstream-settings.ts';
import { loadConfig } from './load-config.ts';

const { cwd, load } = useConfigFolder();

function acme(fields: string, kind = 'responses'): string {
  return `upstreams:
  acme:
    kind: ${kind}
    base_url: https://acme.openai.azure.com/openai/v1
    ${fields}
`;
}

const ENTRA = 'tenant_id: contoso, client_id: app';
const SECRET = `type: azure-client-secret, ${ENTRA}, client_secret: a-secret-of-entra`;
const AWS = 'aws-access-key, aws-profile, aws-container, aws-instance, aws-web-identity';
const TYPES =
  'azure-client-secret, azure-certificate, azure-workload-identity, azure-managed-identity, google-credentials, google-metadata';

describe('identities', () => {
  it('have the fields of their type, with defaults', async () => {
    const config = await load(acme(`identity: { ${SECRET} }`));
    expect(upstreamSettings(config).upstreams['acme']?.identity).toEqual({
      type: 'azure-client-secret',
      tenant_id: 'contoso',
      client_id: 'app',
      client_secret: 'a-secret-of-entra',
      scope: 'https://cognitiveservices.azure.com/.default',
      authority_host: 'https://login.microsoftonline.com',
    });
    expect(describeConfig(config).upstreams[0]?.credentials).toEqual(['azure-client-secret']);
  });

  it('read a certificate from a file', async () => {
    await writeFile(path.join(cwd(), 'app.pem'), '-----BEGIN CERTIFICATE-----\n');
    const identity = `{ type: azure-certificate, ${ENTRA}, certificate: "\${file:app.pem}" }`;
    const config = await load(acme(`identity: ${identity}`));
    expect(config.upstreams['acme']?.identity).toMatchObject({ certificate: '-----BEGIN CERTIFICATE-----' });
  });

  it('of a pool belong to its accounts, and are left out if a variable is not set', async () => {
    const pool = `credentials:
      - { name: one, identity: { type: azure-managed-identity } }
      - { name: two, identity: { type: azure-managed-identity, client_id: "\${TWO_ID}" } }`;
    const some = await load(acme(pool));
    expect(some.disabledUpstreams).toEqual([{ name: 'acme.two', variable: 'TWO_ID' }]);
    const all = upstreamSettings(await load(acme(pool), { TWO_ID: 'app-2' })).upstreams;
    expect(Object.entries(all).map(([name, { identity }]) => [name, identity])).toEqual([
      ['acme', expect.not.objectContaining({ client_id: 'app-2' })],
      ['acme.one', expect.not.objectContaining({ client_id: 'app-2' })],
      ['acme.two', expect.objectContaining({ type: 'azure-managed-identity', client_id: 'app-2' })],
    ]);
  });

  it('disable their upstream if a variable is not set', async () => {
    const config = await load(acme(`identity: { ${SECRET.replace('contoso', '"${TENANT}"')} }`));
    expect([config.upstreams, config.disabledUpstreams]).toEqual([{}, [{ name: 'acme', variable: 'TENANT' }]]);
  });

  it('do not show their secrets', async () => {
    const config = await load(acme(`identity: { ${SECRET} }`));
    expect(secretsOf(config)).toContain('a-secret-of-entra');
    expect(JSON.stringify(redactConfig(config))).not.toContain('a-secret-of-entra');
  });

  it.each([
    [
      `identity: { type: azure-client-secrt, ${ENTRA} }`,
      '5:23 ….identity.type: `azure-client-secrt` is not a known value; did you mean `azure-client-secret`?',
    ],
    ['identity: { type: aws }', `5:23 ….identity.type: \`aws\` is not a known value; write one of: ${AWS}, ${TYPES}.`],
    [`identity: { ${ENTRA} }`, '5:15 ….identity.type: is required; add `type` here.'],
    ['identity: azure', '5:15 ….identity: must be a section of fields, not text; write a section of fields.'],
    [
      `identity: { type: azure-client-secret, ${ENTRA} }`,
      '5:15 ….identity.client_secret: is required; add `client_secret` here.',
    ],
    [`identity: { ${SECRET}, tenant: x }`, '5:114 ….identity.tenant: is not a known field; did you mean `tenant_id`?'],
    [`identity: { ${SECRET}, scope: cognitive }`, '5:121 ….identity.scope: must end with /.default; change it.'],
    [
      `identity: { ${SECRET}, authority_host: login }`,
      '5:130 ….identity.authority_host: must be an http:// or https:// URL; write it as https://host/path.',
    ],
    [
      `identity: { ${SECRET}, authority_host: "http://login.example" }`,
      '5:130 ….identity.authority_host: must be an https:// URL, unless its host is on the same machine; change it.',
    ],
    [
      `identity: { type: azure-certificate, ${ENTRA}, certificate: app.pem }`,
      '5:91 ….identity.certificate: must be a certificate and its private key in PEM format, e.g. `${file:PATH}`; change it.',
    ],
    [
      `identity: { type: azure-workload-identity, ${ENTRA} }`,
      '5:15 ….identity.token_file: is required; add `token_file` here.',
    ],
    [
      'identity: { type: azure-managed-identity, endpoint: "http://10.0.0.1" }',
      '5:57 ….identity.endpoint: must be an https:// URL, unless its host is on the same machine; change it.',
    ],
    [`identity: { ${SECRET} }\n    api_key: k`, '6:14 ….api_key: cannot be set beside `identity`; remove one of them.'],
    [
      `identity: { ${SECRET} }\n    headers: { Authorization: x }`,
      '6:31 ….headers.Authorization: cannot be set beside `identity`; remove one of them.',
    ],
    [
      `identity: { ${SECRET} }\n    credentials: [{ name: one, api_key: k }]`,
      '5:15 ….identity: cannot be set beside `credentials`; move it into an entry of the list.',
    ],
  ])('report file, line, column, and remedy of %j', async (fields, expected) => {
    await expect(load(acme(fields))).rejects.toThrow(`sluice.yaml:${expected.replace('…', 'upstreams.acme')}`);
  });

  it.each([
    ['missing.json', undefined, 'missing.json does not exist; create it, or correct the path.'],
    ['empty.json', '', 'empty.json is empty; write the secret into it.'],
    [
      'other.json',
      '{"type":"authorized_user"}',
      'other.json has no key of a service account and no workload identity;',
    ],
    ['text.json', 'key', 'text.json has no key of a service account and no workload identity;'],
  ])('report the place of the credentials file %s', async (name, text, expected) => {
    if (text !== undefined) await writeFile(path.join(cwd(), name), text);
    const loading = load(acme(`identity: { type: google-credentials, credentials_file: ${name} }`, 'messages'));
    await expect(loading).rejects.toThrow(`sluice.yaml:5:61 upstreams.acme.identity.credentials_file: `);
    await expect(loading).rejects.toThrow(expected);
  });

  it('of Google read a credentials file', async () => {
    await writeFile(path.join(cwd(), 'key.json'), '{"type":"service_account"}');
    const pool = `credentials:
      - { name: one, identity: { type: google-metadata } }
      - { name: two, identity: { type: google-credentials, credentials_file: "\${GOOGLE_APPLICATION_CREDENTIALS}" } }`;
    const env = { GOOGLE_APPLICATION_CREDENTIALS: path.join(cwd(), 'key.json') };
    const { upstreams } = upstreamSettings(await load(acme(pool, 'veo'), env));
    expect(upstreams['acme.two']?.identity).toMatchObject({ type: 'google-credentials' });
  });

  it('of a configuration in Redis name only files in the folders of secrets', async () => {
    const [secrets, token] = [path.join(cwd(), 'secrets'), path.join(cwd(), 'token')];
    await mkdir(secrets);
    await writeFile(token, 'secret');
    const workload = { type: 'external_account', credential_source: { file: token } };
    await writeFile(path.join(secrets, 'key.json'), JSON.stringify(workload));
    await writeFile(path.join(cwd(), 'sluice.yaml'), `config: { source: redis, secret_dirs: ["${secrets}"] }`);
    const loading = (file: string) => {
      const text = acme(`identity: { type: google-credentials, credentials_file: "${file}" }`, 'veo');
      return loadConfig({ env: { SLUICE_KEY: 'sk-some-key' }, cwd: cwd(), document: { name: 'redis', text } });
    };
    const outside = `${token} is not in a folder of \`config.secret_dirs\``;
    await expect(loading(token)).rejects.toThrow(outside);
    await expect(loading(path.join(secrets, 'key.json'))).rejects.toThrow(outside);
  });

  it.each([
    ['azure-workload-identity', 'token_file', 'tenant_id: t, client_id: c'],
    ['aws-web-identity', 'token_file', 'role_arn: "arn:aws:iam::123456789012:role/sluice"'],
    ['aws-container', 'token_file', 'url: "http://169.254.170.2/role"'],
    ['aws-profile', 'credentials_file', 'profile: default'],
    ['aws-profile', 'config_file', 'profile: default'],
  ])('of type %s in Redis has its %s in a folder of secrets', async (type, field, others) => {
    const [secrets, outside] = [path.join(cwd(), 'secrets'), path.join(cwd(), 'outside')];
    await mkdir(secrets);
    const inside = path.join(secrets, 'inside');
    for (const file of [inside, outside]) await writeFile(file, 'secret');
    await writeFile(path.join(cwd(), 'sluice.yaml'), `config: { source: redis, secret_dirs: ["${secrets}"] }`);
    const loading = (file: string) => {
      const text = acme(`identity: { type: ${type}, ${others}, ${field}: "${file}" }`, 'chat-completions');
      return loadConfig({ env: { SLUICE_KEY: 'sk-some-key' }, cwd: cwd(), document: { name: 'redis', text } });
    };
    await expect(loading(outside)).rejects.toThrow(
      `upstreams.acme.identity.${field}: ${outside} is not in a folder of \`config.secret_dirs\``,
    );
    await loading(inside);
  });

  it('are for some kinds only', async () => {
    await expect(load(acme('identity: { type: azure-managed-identity }', 'ark'))).rejects.toThrow(
      'upstreams.acme.identity.type: `azure-managed-identity` is for other kinds; kind `ark` takes `api_key`.',
    );
  });
});
