import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import { respondCommonly, MEDIA_KEY, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const task = (more: object) => sendJson(response, 200, { id: 'up_contract_77', model: 'model-a', ...more });
  const refuse = (status: number, code: string, message = 'why', headers = {}) =>
    sendJson(response, status, { error: { code, message, param: '', type: 'x' } }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { id: behavior.id });
    case 'refuses':
      return refuse(400, 'InvalidParameter', behavior.reason);
    case 'moderates':
      return refuse(400, 'InputTextSensitiveContentDetected');
    case 'is busy':
      return refuse(429, 'ModelAccountRpmRateLimitExceeded', 'why', {
        'retry-after': String(behavior.retryAfterSeconds),
      });
    case 'refuses the credential':
      return refuse(401, 'AuthenticationError', `The API key ${MEDIA_KEY} is invalid`);
    case 'has no balance':
      return refuse(403, 'AccountOverdueError');
    case 'answers 500':
      return refuse(500, 'InternalServiceError');
    case 'runs':
      return task({ status: 'running' });
    case 'has failed':
      return task({ status: 'failed', error: { code: 'InternalServiceError', message: behavior.reason } });
    case 'does not know the job':
      return refuse(404, 'ResourceNotFound');
    case 'returns an unknown status':
      return task({ status: 'reticulating' });
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      return task({ status: 'succeeded', content: { video_url: `${origin}/files/clip.mp4` } });
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      return undefined;
  }
}

const account = (origin: string) => ({ kind: 'ark', base_url: `${origin}/api/v3/`, api_key: MEDIA_KEY });

describeVideoContract({
  kind: 'ark',
  reportsProgress: false,
  setStage: mediaStage({ account, isSubmission: (request) => request.method === 'POST', response: reply }),
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'ark', base_url: 'https://ark.example/api/v3' })).toThrow('needs an api_key');
});
