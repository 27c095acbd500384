import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { auth, raw, send, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

describe('GET /v1/videos', () => {
  testRejections(() => rig, {
    400: [
      ['limit is 0', send('GET', '/v1/videos?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', send('GET', '/v1/videos?limit=101'), 'invalid_request', 'limit'],
      ['limit is not a number', send('GET', '/v1/videos?limit=all'), 'invalid_request', 'limit'],
      ['limit is repeated', send('GET', '/v1/videos?limit=1&limit=2'), 'invalid_request', 'limit'],
      ['order is unknown', send('GET', '/v1/videos?order=random'), 'invalid_request', 'order'],
      ['status is unknown', send('GET', '/v1/videos?status=done'), 'invalid_request', 'status'],
      ['user is repeated', send('GET', '/v1/videos?user=a&user=b'), 'invalid_request', 'user'],
      ['labels is a text', send('GET', '/v1/videos?labels=x'), 'invalid_request', 'labels'],
      ['a label is repeated', send('GET', '/v1/videos?labels[a]=1&labels[a]=2'), 'invalid_request', 'labels[a]'],
      ['a label is nested', send('GET', '/v1/videos?labels[a][b]=1'), 'invalid_request', 'labels[a]'],
      ['a label has no key', send('GET', '/v1/videos?labels[]=1'), 'invalid_request', 'labels'],
      ['after is not an id', send('GET', '/v1/videos?after=%5Bx'), 'invalid_request', 'after'],
    ],
    401: [
      [
        'the API key is unknown',
        send('GET', '/v1/videos', { headers: { authorization: 'Bearer sk-wrong' } }),
        'invalid_api_key',
      ],
      [
        'the Bearer token is empty',
        send('GET', '/v1/videos', { headers: { authorization: 'Bearer ' } }),
        'invalid_api_key',
      ],
      [
        'the credentials are Basic',
        send('GET', '/v1/videos', { headers: { authorization: `Basic ${btoa(`alice:${KEYS.alice}`)}` } }),
        'invalid_api_key',
      ],
      [
        'the Bearer token is wrong and x-api-key is valid',
        send('GET', '/v1/videos', { headers: { authorization: 'Bearer sk-wrong', 'x-api-key': KEYS.alice } }),
        'invalid_api_key',
      ],
      [
        'x-api-key is repeated',
        raw(
          `GET /v1/videos HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}\r\nx-api-key: ${KEYS.bob}\r\nconnection: close\r\n\r\n`,
        ),
        'invalid_api_key',
      ],
      [
        'the query has two keys',
        send('GET', `/v1/videos?key=${KEYS.alice}&key=${KEYS.bob}`, { headers: {} }),
        'invalid_api_key',
      ],
    ],
    431: [
      [
        'the headers are too large',
        send('GET', '/v1/videos', { headers: { ...auth, 'x-long': 'x'.repeat(9_000) } }),
        'headers_too_large',
      ],
    ],
  });
});
