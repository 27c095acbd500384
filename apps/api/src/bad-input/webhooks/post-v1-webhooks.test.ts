import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  const webhooks = { allow: ['http://hooks.internal:9000'], per_key: 1 };
  rig = await apiRig({ limits: SMALL_LIMITS, config: { webhooks } });
});
afterAll(() => rig.close());

const url = 'https://c.test/';

describe.each(['/v1/webhooks', '/v1/webhook_endpoints'])('POST %s', (path) => {
  const create = (body: unknown) => sendJson('POST', path, body);

  // A rejected request creates no webhook.
  afterEach(async () => expect(await (await rig.call(path)).json()).toMatchObject({ data: [] }));

  testRejections(() => rig, {
    400: [
      ['url is missing', create({}), 'invalid_request', 'url'],
      ['url is a number', create({ url: 5 }), 'invalid_request', 'url'],
      ['url is not https', create({ url: 'http://client.test/' }), 'invalid_request', 'url'],
      [
        'url has another port than the allowed origin',
        create({ url: 'http://hooks.internal:9001/' }),
        'invalid_request',
        'url',
      ],
      ['url has credentials', create({ url: 'https://u:p@client.test/' }), 'invalid_request', 'url'],
      ['url is a private IPv4 address', create({ url: 'https://192.168.1.1/' }), 'invalid_request', 'url'],
      ['url is a private IPv6 address', create({ url: 'https://[fd00::1]:8443/' }), 'invalid_request', 'url'],
      ['url is localhost', create({ url: 'https://LOCALHOST./' }), 'invalid_request', 'url'],
      ['events is empty', create({ url, events: [] }), 'invalid_request', 'events'],
      ['an event is unknown', create({ url, events: ['video.made'] }), 'invalid_request', 'events[0]'],
      [
        'events and event_types are combined',
        create({ url, events: ['video.failed'], event_types: ['video.failed'] }),
        'invalid_request',
        'event_types',
      ],
      ['name is too long', create({ url, name: 'x'.repeat(257) }), 'invalid_request', 'name'],
      ['enabled is not a flag', create({ url, enabled: 'perhaps' }), 'invalid_request', 'enabled'],
      ['the JSON is truncated', create('{"url":'), 'invalid_request'],
      ['the JSON is an array', create('[]'), 'invalid_request'],
    ],
    401: [['the API key is missing', sendJson('POST', path, { url }, { authorization: '' }), 'invalid_api_key']],
    413: [['the body is too large', create({ url, name: 'x'.repeat(5_000) }), 'payload_too_large']],
    415: [['the body is plain text', send('POST', path, { body: 'x' }), 'unsupported_media_type']],
  });
});

describe('POST /v1/webhooks', () => {
  describe('400', () => {
    it('the key has too many webhooks', async () => {
      const create = sendJson('POST', '/v1/webhooks', { url });
      expect((await create(rig)).status).toBe(200);
      expect(await create(rig)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    });
  });
});
