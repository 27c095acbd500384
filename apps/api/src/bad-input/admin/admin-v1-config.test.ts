import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
let version: unknown;
beforeAll(async () => {
  rig = await adminRig({ config: { config: { source: 'redis' } } });
  version = (await rig.admin('GET', 'config')).body['version'];
});
// A rejected request changes nothing.
afterEach(async () => expect((await rig.admin('GET', 'config')).body['version']).toBe(version));
afterAll(() => rig.close());

const PATH = '/admin/v1/config';
const put = (body: unknown) => sendJson('PUT', PATH, body, adminAuth);
const keys = 'keys: [{ name: a, key: sk-a-key-0001 }]\n';

describe('GET /admin/v1/config', () => {
  testRejections(() => rig, {
    400: [['a parameter is unknown', send('GET', `${PATH}?wait=1`, { headers: adminAuth }), 'invalid_request', 'wait']],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
  });
});

describe('PUT /admin/v1/config', () => {
  testRejections(() => rig, {
    400: [
      ['the text is missing', put({}), 'invalid_request', 'text'],
      ['the text is empty', put({ text: '' }), 'invalid_request', 'text'],
      ['the text is too long', put({ text: 'a'.repeat(512 * 1024 + 1) }), 'invalid_request', 'text'],
      ['the text is an object', put({ text: {} }), 'invalid_request', 'text'],
      ['a field is unknown', put({ text: keys, force: true }), 'invalid_request', 'force'],
      ['dry_run is a text', put({ text: keys, dry_run: 'yes' }), 'invalid_request', 'dry_run'],
      ['the YAML is broken', put({ text: 'keys: [' }), 'invalid_request', 'text'],
      ['the YAML is a list', put({ text: '- 1' }), 'invalid_request', 'text'],
      ['a section belongs to the process', put({ text: 'server: { port: 1 }' }), 'invalid_request', 'text'],
      ['an upstream is unknown', put({ text: modelOf('nowhere') }), 'invalid_request', 'text'],
    ],
    401: [["the credential is a client's API key", sendJson('PUT', PATH, { text: keys }), 'invalid_api_key']],
    413: [['the body is too large', put({ text: 'a'.repeat(1024 * 1024) }), 'payload_too_large']],
  });

  it.each([
    ['keys: [{ name: a }]', 'text:1:8 keys[0].key: is required; add `key` here.'],
    [modelOf('nowhere'), 'text:1:40 models[0].routes[0].upstream: no upstream is named `nowhere`;'],
    ['redis: { url: "redis://x" }', 'text:1:1 redis: cannot be shared, because each process reads it from its file;'],
    [
      'keys: [{ name: a, key: "${file:/etc/passwd}" }]',
      'text:1:24 keys[0].key: /etc/passwd is not in a folder of `config.secret_dirs`;',
    ],
    [
      'keys: [{ name: a, key: "${file:/run/secrets/../../etc/hostname}" }]',
      'text:1:24 keys[0].key: /etc/hostname is not in a folder of `config.secret_dirs`;',
    ],
    ['keys: [{ name: a, key: "${SLUICE_SECRET}" }]', 'keys[0].key: cannot refer to SLUICE_SECRET in Redis'],
    ['models: [{ id: "${HOME}", routes: [] }]', 'models[0].id: cannot have a reference in Redis'],
    ['log: { level: "${PATH}" }', 'log.level: cannot have a reference in Redis'],
    ['models: [{ id: "${file:/etc/passwd}" }]', 'models[0].id: cannot refer to a file, because it is no credential'],
  ])('reports the position and the remedy of the error in %s', async (text, message) => {
    const { status, body } = await rig.admin('PUT', 'config', { text });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(JSON.stringify(message).slice(1, -1));
    expect(JSON.stringify(body)).not.toContain(process.env['HOME'] ?? '/root');
    expect(JSON.stringify(body)).not.toContain('root:x');
  });
});

function modelOf(upstream: string): string {
  return `models: [{ id: m, routes: [{ upstream: ${upstream}, model: x }] }]`;
}
