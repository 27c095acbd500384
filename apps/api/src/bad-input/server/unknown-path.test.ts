import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { raw, send, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

describe('an unknown or malformed path', () => {
  testRejections(() => rig, {
    400: [
      ['the request is not HTTP', raw('EHLO gateway\r\n\r\n'), 'invalid_request'],
      ['Host is missing', raw('GET /v1/videos HTTP/1.1\r\nconnection: close\r\n\r\n'), 'invalid_request'],
      ['the path has invalid percent encoding', send('GET', '/v1/videos/%zz'), 'invalid_request'],
    ],
    404: [
      ['the path is unknown', send('GET', '/v1/vidoes'), 'not_found'],
      ['the path is unknown and the API key is missing', send('GET', '/nowhere', { headers: {} }), 'not_found'],
    ],
  });
});
