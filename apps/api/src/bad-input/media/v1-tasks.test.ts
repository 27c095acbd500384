import { afterAll, beforeAll, describe } from 'vitest';
import { type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const list = (query: string) => send('GET', `/v1/tasks?${query}`);
const UNKNOWN = 'video_00000000000000000000000000';

describe('GET /v1/tasks', () => {
  testRejections(() => rig, {
    400: [
      ['kind is unknown', list('kind=audio'), 'invalid_request', 'kind'],
      ['status is unknown', list('status=done'), 'invalid_request', 'status'],
      ['status is repeated', list('status=queued&status=failed'), 'invalid_request', 'status'],
      ['key is another key', list('key=bob'), 'invalid_request', 'key'],
      ['prompt is not a flag', list('prompt=yes'), 'invalid_request', 'prompt'],
      ['limit is 0', list('limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', list('limit=101'), 'invalid_request', 'limit'],
      ['limit is not a number', list('limit=x'), 'invalid_request', 'limit'],
      ['after is no cursor', list('after=x'), 'invalid_request', 'after'],
      ['after is a task', list(`after=${UNKNOWN}`), 'invalid_request', 'after'],
      ['after has a line break', list(`after=1.${UNKNOWN}%0A`), 'invalid_request', 'after'],
      ['a parameter is unknown', list('owner=alice'), 'invalid_request', 'owner'],
    ],
    401: [
      ['the key is missing', send('GET', '/v1/tasks', { headers: {} }), 'invalid_api_key'],
      ['the key is unknown', send('GET', '/v1/tasks', { headers: { authorization: 'Bearer x' } }), 'invalid_api_key'],
    ],
  });
});

describe.each([
  ['GET', ''],
  ['GET', '/content/0'],
  ['POST', '/cancel'],
])('%s /v1/tasks/{id}%s', (method, path) => {
  testRejections(() => rig, {
    400: [['a parameter is unknown', send(method, `/v1/tasks/${UNKNOWN}${path}?x=1`), 'invalid_request', 'x']],
    401: [['the key is missing', send(method, `/v1/tasks/${UNKNOWN}${path}`, { headers: {} }), 'invalid_api_key']],
    404: [
      ['the task does not exist', send(method, `/v1/tasks/${UNKNOWN}${path}`), 'not_found'],
      ['the id is of another form', send(method, `/v1/tasks/${'x'.repeat(200)}${path}`), 'not_found'],
      ['the id is markup', send(method, `/v1/tasks/%3Cscript%3E${path}`), 'not_found'],
    ],
  });
});
