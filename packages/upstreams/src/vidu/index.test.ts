import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import { respondCommonly, jsonVendor, MEDIA_KEY, mediaJob, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';
import { NEVER } from '../../test/videos-rig.ts';

const account = (origin: string) => ({ kind: 'vidu', base_url: `${origin}/ent/v2/`, api_key: MEDIA_KEY });

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const task = (more: object) => sendJson(response, 200, { id: 'up_contract_77', ...more });
  const refuse = (status: number, reason: string, message = 'why', headers = {}) =>
    sendJson(response, status, { code: status, reason, message, metadata: { trace_id: 'x' } }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { task_id: behavior.id, state: 'created' });
    case 'refuses':
      return refuse(400, 'FieldInvalid', behavior.reason);
    case 'moderates':
      return refuse(400, 'AuditSubmitIllegal');
    case 'is busy':
      return refuse(429, 'TooManyRequests', 'why', { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, 'Unauthorized', `unauthorized: Token ${MEDIA_KEY}`);
    case 'has no balance':
      return refuse(400, 'CreditInsufficient');
    case 'answers 500':
      return refuse(500, 'InternalServiceFailure');
    case 'runs':
      return task({ state: 'processing' });
    case 'has failed':
      return task({ state: 'failed', err_code: behavior.reason });
    case 'does not know the job':
      return refuse(404, 'TaskNotFound');
    case 'returns an unknown status':
      return task({ state: 'reticulating' });
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      return task({ state: 'success', creations: [{ id: 'c', url: `${origin}/files/clip.mp4` }] });
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      return undefined;
  }
}

describeVideoContract({
  kind: 'vidu',
  reportsProgress: false,
  setStage: mediaStage({ account, isSubmission: (request) => request.method === 'POST', response: reply }),
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'vidu', base_url: 'https://vidu.example/ent/v2' })).toThrow('needs an api_key');
});

/** @param tasks the tasks that successive polls return */
async function canceled(tasks: object[], refusal?: number) {
  let polls = 0;
  await using vendor = await jsonVendor(({ method }) => {
    if (method === 'POST') return { status: refusal ?? 200, body: {} };
    polls += 1;
    return { body: { creations: [{ url: 'https://a.example/f.mp4' }], ...tasks[polls - 1] } };
  });
  await using rig = mediaRig(account(vendor.origin));
  const outcome = await rig.video.cancel?.(mediaJob(`${vendor.origin}/ent/v2`), NEVER);
  return {
    kind: outcome?.kind,
    calls: vendor.recorded.map(({ method }) => method).join(' '),
    recorded: vendor.recorded,
  };
}

it('cancels a waiting off-peak task by its id', async () => {
  const { kind, calls, recorded } = await canceled([{ state: 'queueing', off_peak: true }]);
  expect([kind, calls]).toEqual(['canceled', 'GET POST']);
  expect(recorded[1]).toMatchObject({ url: '/ent/v2/tasks/up_1/cancel', body: { id: 'up_1' } });
});

it.each([
  [{ state: 'queueing', off_peak: false }, 'unsupported'],
  [{ state: 'created' }, 'unsupported'],
  [{ state: 'processing', off_peak: true }, 'unsupported'],
  [{ state: 'success', off_peak: true }, 'too_late'],
  [{ state: 'failed', err_code: 'UserCancelled' }, 'canceled'],
  [{ state: 'reticulating', off_peak: true }, 'unclear'],
])('does not cancel %o', async (task, kind) => {
  expect(await canceled([task])).toMatchObject({ kind, calls: 'GET' });
});

it('does not cancel a task that has started in the meantime', async () => {
  const states = [
    { state: 'created', off_peak: true },
    { state: 'processing', off_peak: true },
  ];
  expect(await canceled(states, 400)).toMatchObject({ kind: 'unsupported', calls: 'GET POST GET' });
});
