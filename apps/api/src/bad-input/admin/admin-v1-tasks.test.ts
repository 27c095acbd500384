import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/tasks';
const UNKNOWN = 'video_01hzzzzzzz0123456789abcdef';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });
const act = (action: string) => (body: unknown) => sendJson('POST', `${PATH}/${UNKNOWN}/${action}`, body, adminAuth);

describe('GET /admin/v1/tasks', () => {
  testRejections(() => rig, {
    400: [
      ['status is unknown', get('?status=lost'), 'invalid_request', 'status'],
      ['limit is 0', get('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', get('?limit=101'), 'invalid_request', 'limit'],
      ['older_than is not a number', get('?older_than=x'), 'invalid_request', 'older_than'],
      ['older_than is negative', get('?older_than=-1'), 'invalid_request', 'older_than'],
      ['after is not a cursor', get('?after=x'), 'invalid_request', 'after'],
      ['a parameter is unknown', get('?state=queued'), 'invalid_request', 'state'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
  });
});

describe('GET /admin/v1/tasks/:id', () => {
  testRejections(() => rig, {
    400: [
      ['prompt is not a flag', get(`/${UNKNOWN}?prompt=yes`), 'invalid_request', 'prompt'],
      ['a parameter is unknown', get(`/${UNKNOWN}?timeline=1`), 'invalid_request', 'timeline'],
    ],
    401: [["the credential is a client's API key", send('GET', `${PATH}/${UNKNOWN}`), 'invalid_api_key']],
    404: [
      ['the id is unknown', get(`/${UNKNOWN}`), 'not_found'],
      ['the id is malformed', get('/x'), 'not_found'],
    ],
  });
});

describe('POST /admin/v1/tasks/:id/adopt', () => {
  const adopt = act('adopt');
  testRejections(() => rig, {
    400: [
      ['upstream_job_id is missing', adopt({}), 'invalid_request', 'upstream_job_id'],
      ['upstream_job_id is blank', adopt({ upstream_job_id: ' ' }), 'invalid_request', 'upstream_job_id'],
      ['upstream_job_id has two lines', adopt({ upstream_job_id: 'a\nb' }), 'invalid_request', 'upstream_job_id'],
      [
        'upstream_job_id has 257 characters',
        adopt({ upstream_job_id: 'x'.repeat(257) }),
        'invalid_request',
        'upstream_job_id',
      ],
    ],
    404: [['the id is unknown', adopt({ upstream_job_id: 'job-1' }), 'not_found']],
  });
});

describe('POST /admin/v1/tasks/:id/fail', () => {
  const fail = act('fail');
  testRejections(() => rig, {
    400: [
      ['reason is missing', fail({}), 'invalid_request', 'reason'],
      ['reason has 301 characters', fail({ reason: 'x'.repeat(301) }), 'invalid_request', 'reason'],
      ['operator is empty', fail({ reason: 'x', operator: '' }), 'invalid_request', 'operator'],
    ],
    401: [["the credential is a client's API key", sendJson('POST', `${PATH}/${UNKNOWN}/fail`, {}), 'invalid_api_key']],
    404: [['the id is unknown', fail({ reason: 'x' }), 'not_found']],
  });
});

describe('POST /admin/v1/tasks/:id/resubmit', () => {
  const resubmit = act('resubmit');
  testRejections(() => rig, {
    400: [
      ['confirm is missing', resubmit({ attempt: 1 }), 'invalid_request', 'confirm'],
      ['confirm is false', resubmit({ confirm: false, attempt: 1 }), 'invalid_request', 'confirm'],
      ['attempt is missing', resubmit({ confirm: true }), 'invalid_request', 'attempt'],
      ['attempt is 0', resubmit({ confirm: true, attempt: 0 }), 'invalid_request', 'attempt'],
    ],
    404: [['the id is unknown', resubmit({ confirm: true, attempt: 1 }), 'not_found']],
  });
});

describe('POST /admin/v1/tasks/:id/cancel', () => {
  const cancel = act('cancel');
  testRejections(() => rig, {
    400: [
      ['note is a number', cancel({ note: 7 }), 'invalid_request', 'note'],
      ['a field is unknown', cancel({ reason: 'x' }), 'invalid_request', 'reason'],
    ],
    404: [['the id is unknown', cancel({}), 'not_found']],
  });
});
