import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { auth, send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

const id = 'video_01hzzzzzzz0123456789abcdef';
const remix = (body: unknown) => sendJson('POST', `/v1/videos/${id}/remix`, body);

describe('GET /v1/videos/:video_id', () => {
  testRejections(() => rig, {
    404: [
      ['the id is unknown', send('GET', `/v1/videos/${id}`), 'video_not_found'],
      ['the id is malformed', send('GET', '/v1/videos/1'), 'video_not_found'],
      ['the id contains a slash', send('GET', '/v1/videos/..%2f..%2fetc'), 'video_not_found'],
      ['the id contains a wildcard', send('GET', '/v1/videos/video_*'), 'video_not_found'],
      ['the id contains a line break', send('GET', '/v1/videos/a%0d%0ab'), 'video_not_found'],
      ['the id is longer than any path', send('GET', `/v1/videos/${'a'.repeat(2_000)}`), 'not_found'],
      ['the id is empty', send('GET', '/v1/videos/'), 'video_not_found'],
    ],
  });
});

describe('GET /v1/videos/:video_id/content', () => {
  testRejections(() => rig, {
    404: [['the id is unknown', send('GET', `/v1/videos/${id}/content`), 'video_not_found']],
  });
});

describe('DELETE /v1/videos/:video_id', () => {
  testRejections(() => rig, {
    404: [['the id is unknown', send('DELETE', `/v1/videos/${id}`), 'video_not_found']],
  });
});

describe('GET /v1/videos/:video_id/events', () => {
  testRejections(() => rig, {
    404: [['the id is unknown', send('GET', `/v1/videos/${id}/events`), 'video_not_found']],
  });
});

describe('POST /v1/videos/:video_id/remix', () => {
  testRejections(() => rig, {
    400: [['the JSON is truncated', remix('{'), 'invalid_request']],
    404: [['the id is unknown', remix({ prompt: 'a' }), 'video_not_found']],
  });
});

describe('POST /v1/videos/:video_id/cancel', () => {
  testRejections(() => rig, {
    400: [
      [
        'the JSON body is truncated',
        send('POST', `/v1/videos/${id}/cancel`, {
          body: '{',
          headers: { ...auth, 'content-type': 'application/json' },
        }),
        'invalid_request',
      ],
    ],
    404: [['the id is unknown', send('POST', `/v1/videos/${id}/cancel`), 'video_not_found']],
  });
});
