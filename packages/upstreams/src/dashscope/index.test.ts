import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { respondCommonly, MEDIA_KEY, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { sendJson } from '../../test/local-server.ts';
import { describeImageContract, describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';

const account = (origin: string) => ({ kind: 'dashscope', base_url: origin, api_key: MEDIA_KEY });
const isSubmission = ({ method }: IncomingMessage): boolean => method === 'POST';

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const state = (task_status: string, output: object = {}) =>
    sendJson(response, 200, { request_id: 'a', output: { task_id: 'up_contract_77', task_status, ...output } });
  const refuse = (status: number, code: string, message: string, headers = {}) =>
    sendJson(response, status, { code, message, request_id: 'a' }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      if (request.url?.includes('multimodal')) {
        const content = [{ image: `${origin}/files/0.png` }];
        return sendJson(response, 200, { output: { choices: [{ message: { content } }] } });
      }
      return state('PENDING', { task_id: behavior.id });
    case 'refuses':
      return refuse(400, 'InvalidParameter', behavior.reason);
    case 'moderates':
      return refuse(400, 'DataInspectionFailed', 'Input data may contain inappropriate content.');
    case 'is busy':
      return refuse(429, 'Throttling.RateQuota', 'slow down', { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, 'InvalidApiKey', `Invalid API-key provided: ${MEDIA_KEY}`);
    case 'has no balance':
      return refuse(400, 'Arrearage', 'Access denied, please make sure your account is in good standing.');
    case 'runs':
      return state('RUNNING');
    case 'has failed':
      return state('FAILED', { code: 'InternalError', message: behavior.reason });
    case 'does not know the job':
      return state('UNKNOWN');
    case 'returns an unknown status':
      return state('RETICULATING');
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      return state('SUCCEEDED', { video_url: `${origin}/files/v.mp4` });
    case 'answers 500':
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      return refuse(500, 'InternalError', 'oops');
  }
}

const setStage = mediaStage({ account, isSubmission, response: reply });

describeVideoContract({ kind: 'dashscope', reportsProgress: false, setStage });
describeImageContract({
  kind: 'dashscope',
  setStage,
  // The matcher is cast, because `returnedOutputs` requires a string.
  returnedOutputs: [{ url: expect.stringMatching(/files\/0\.png$/) as string }],
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'dashscope', base_url: 'https://dashscope.example' })).toThrow(/needs an api_key/);
});

it('offers no lookup of lost submissions', async () => {
  await using rig = mediaRig(account('https://dashscope.example'));
  expect(Object.keys(rig.video)).not.toContain('find');
  expect(Object.keys(rig.image)).not.toContain('find');
});
