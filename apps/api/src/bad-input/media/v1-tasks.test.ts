import { afterAll, beforeAll, describe } from 'vitest';
import { type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { auth, send, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const UNKNOWN = 'video_00000000000000000000000000';
const change = (body: unknown, path = `/${UNKNOWN}`) =>
  send('POST', `/v1/tasks${path}`, {
    headers: { ...auth, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const list = (query: string) => send('GET', `/v1/tasks?${query}`);

describe('GET /v1/tasks', () => {
  testRejections(() => rig, {
    400: [
      ['kind is unknown', list('kind=audio'), 'invalid_request', 'kind'],
      ['status is unknown', list('status=done'), 'invalid_request', 'status'],
      ['status is repeated', list('status=queued&status=failed'), 'invalid_request', 'status'],
      ['key is another key', list('key=bob'), 'invalid_request', 'key'],
      ['prompt is not a flag', list('prompt=yes'), 'invalid_request', 'prompt'],
      ['labels is a text', list('labels=x'), 'invalid_request', 'labels'],
      ['a label is nested', list('labels[a][b]=x'), 'invalid_request', 'labels[a]'],
      ['user is too long', list(`user=${'x'.repeat(513)}`), 'invalid_request', 'user'],
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

describe('POST /v1/tasks/{id}', () => {
  testRejections(() => rig, {
    400: [
      ['the body is missing', send('POST', `/v1/tasks/${UNKNOWN}`), 'invalid_request'],
      ['the body is empty', change({}), 'invalid_request'],
      ['the body is a list', change([]), 'invalid_request'],
      ['the body is truncated', change('{"paused":'), 'invalid_request'],
      ['paused is a text', change({ paused: 'yes' }), 'invalid_request', 'paused'],
      ['paused is null', change({ paused: null }), 'invalid_request', 'paused'],
      ['priority is too high', change({ priority: 101 }), 'invalid_request', 'priority'],
      ['a field is unknown', change({ paused: true, status: 'queued' }), 'invalid_request', 'status'],
      ['a parameter is unknown', change({ paused: true }, `/${UNKNOWN}?x=1`), 'invalid_request', 'x'],
    ],
    401: [['the key is missing', send('POST', `/v1/tasks/${UNKNOWN}`, { headers: {} }), 'invalid_api_key']],
    404: [
      ['the task does not exist', change({ paused: true }), 'not_found'],
      ['the id is markup', change({ paused: true }, '/%3Cscript%3E'), 'not_found'],
    ],
  });
});

describe('/v1/tasks/queue', () => {
  testRejections(() => rig, {
    400: [
      ['the body is missing', send('POST', '/v1/tasks/queue'), 'invalid_request', 'paused'],
      ['paused is a number', change({ paused: 1 }, '/queue'), 'invalid_request', 'paused'],
      ['a field is unknown', change({ paused: true, key: 'bob' }, '/queue'), 'invalid_request', 'key'],
      ['a parameter is unknown', send('GET', '/v1/tasks/queue?key=bob'), 'invalid_request', 'key'],
    ],
    401: [
      ['the key is missing', send('POST', '/v1/tasks/queue', { headers: {} }), 'invalid_api_key'],
      [
        'the key is unknown',
        send('GET', '/v1/tasks/queue', { headers: { authorization: 'Bearer x' } }),
        'invalid_api_key',
      ],
    ],
  });
});
