import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

describe.each([
  { path: '/v1/webhooks', patch: 'PATCH', rotation: 'rotate' },
  { path: '/v1/webhook_endpoints', patch: 'POST', rotation: 'rotate_secret' },
])('$path', ({ path, patch, rotation }) => {
  const at = `${path}/whe_unknown`;
  const change = (body: unknown) => sendJson(patch, at, body);

  describe(`GET ${path}`, () => {
    testRejections(() => rig, {
      400: [
        ['limit is 0', send('GET', `${path}?limit=0`), 'invalid_request', 'limit'],
        ['limit is 101', send('GET', `${path}?limit=101`), 'invalid_request', 'limit'],
        ['after is not an id', send('GET', `${path}?after=%5Bx`), 'invalid_request', 'after'],
      ],
      401: [['the API key is missing', send('GET', path, { headers: {} }), 'invalid_api_key']],
    });
  });

  describe(`GET ${path}/:webhook_id`, () => {
    testRejections(() => rig, {
      404: [
        ['the id is unknown', send('GET', at), 'webhook_not_found'],
        ['the id contains a slash', send('GET', `${path}/..%2f..%2fetc`), 'webhook_not_found'],
        ['the id contains a wildcard', send('GET', `${path}/whe_*`), 'webhook_not_found'],
      ],
    });
  });

  describe(`${patch} ${path}/:webhook_id`, () => {
    testRejections(() => rig, {
      400: [
        ['url is not https', change({ url: 'http://c.test/' }), 'invalid_request', 'url'],
        ['url is a private address', change({ url: 'https://10.0.0.1/' }), 'invalid_request', 'url'],
        ['url is localhost', change({ url: 'https://localhost/' }), 'invalid_request', 'url'],
        ['events is empty', change({ events: [] }), 'invalid_request', 'events'],
        ['enabled is not a flag', change({ enabled: 'perhaps' }), 'invalid_request', 'enabled'],
        ['the JSON is truncated', change('{'), 'invalid_request'],
      ],
      404: [['the id is unknown', change({ enabled: false }), 'webhook_not_found']],
    });
  });

  describe(`DELETE ${path}/:webhook_id`, () => {
    testRejections(() => rig, { 404: [['the id is unknown', send('DELETE', at), 'webhook_not_found']] });
  });

  describe(`POST ${path}/:webhook_id/test`, () => {
    testRejections(() => rig, {
      400: [
        ['event_type is unknown', sendJson('POST', `${at}/test`, { event_type: 'x' }), 'invalid_request', 'event_type'],
      ],
      404: [['the id is unknown', sendJson('POST', `${at}/test`, {}), 'webhook_not_found']],
    });
  });

  describe(`POST ${path}/:webhook_id/${rotation}`, () => {
    testRejections(() => rig, {
      400: [
        [
          'keep_previous is not a flag',
          sendJson('POST', `${at}/${rotation}`, { keep_previous: 'perhaps' }),
          'invalid_request',
          'keep_previous',
        ],
      ],
      404: [['the id is unknown', sendJson('POST', `${at}/${rotation}`, {}), 'webhook_not_found']],
    });
  });
});

describe('GET /v1/webhooks/:webhook_id/deliveries', () => {
  testRejections(() => rig, {
    400: [['limit is 0', send('GET', '/v1/webhooks/whe_unknown/deliveries?limit=0'), 'invalid_request', 'limit']],
    404: [['the id is unknown', send('GET', '/v1/webhooks/whe_unknown/deliveries'), 'webhook_not_found']],
  });
});

describe('GET /v1/webhooks/deliveries', () => {
  testRejections(() => rig, {
    400: [
      ['limit is not a number', send('GET', '/v1/webhooks/deliveries?limit=all'), 'invalid_request', 'limit'],
      ['after is not an id', send('GET', '/v1/webhooks/deliveries?after=%5Bx'), 'invalid_request', 'after'],
    ],
  });
});

describe('GET /v1/webhooks/deliveries/:delivery_id', () => {
  testRejections(() => rig, {
    404: [['the id is unknown', send('GET', '/v1/webhooks/deliveries/whd_x'), 'webhook_not_found']],
  });
});

describe('POST /v1/webhooks/deliveries/:delivery_id/redeliver', () => {
  testRejections(() => rig, {
    404: [['the id is unknown', send('POST', '/v1/webhooks/deliveries/whd_x/redeliver'), 'webhook_not_found']],
  });
});

describe('POST /v1/webhooks/secret/rotate', () => {
  testRejections(() => rig, {
    400: [
      [
        'keep_previous is not a flag',
        sendJson('POST', '/v1/webhooks/secret/rotate', { keep_previous: 'perhaps' }),
        'invalid_request',
        'keep_previous',
      ],
    ],
    401: [['the API key is missing', send('POST', '/v1/webhooks/secret/rotate', { headers: {} }), 'invalid_api_key']],
  });
});
