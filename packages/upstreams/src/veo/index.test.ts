import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import { respondCommonly, MEDIA_KEY, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';

const account = (origin: string) => ({ kind: 'veo', base_url: `${origin}/v1beta/`, api_key: MEDIA_KEY });

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const name = 'models/model-a/operations/up_contract_77';
  const operation = (more: object) => sendJson(response, 200, { name, ...more });
  const refuse = (code: number, status: string, message = 'why', headers = {}) =>
    sendJson(response, code, { error: { code, status, message, details: [] } }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { name: `models/model-a/operations/${behavior.id}` });
    case 'refuses':
      return refuse(400, 'INVALID_ARGUMENT', behavior.reason);
    case 'moderates':
      return refuse(400, 'INVALID_ARGUMENT', "The prompt violates Google's Responsible AI practices");
    case 'is busy':
      return refuse(429, 'RESOURCE_EXHAUSTED', 'why', { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(400, 'INVALID_ARGUMENT', `API key not valid: ${MEDIA_KEY}`);
    case 'has no balance':
      return refuse(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.');
    case 'answers 500':
      return refuse(500, 'INTERNAL');
    case 'runs':
      return operation({ metadata: {} });
    case 'has failed':
      return operation({ done: true, error: { code: 13, message: behavior.reason } });
    case 'does not know the job':
      return refuse(404, 'NOT_FOUND');
    case 'returns an unknown status':
      return sendJson(response, 200, { status: 'reticulating' });
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content': {
      const generatedSamples = [{ video: { uri: `${origin}/files/f:download?alt=media` } }];
      return operation({ done: true, response: { generateVideoResponse: { generatedSamples } } });
    }
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      return undefined;
  }
}

describeVideoContract({
  kind: 'veo',
  reportsProgress: false,
  setStage: mediaStage({ account, isSubmission: (request) => request.method === 'POST', response: reply }),
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'veo', base_url: 'https://veo.example/v1beta' })).toThrow('needs an api_key');
});

it('offers neither a lookup nor a cancellation', async () => {
  await using rig = mediaRig(account('https://veo.example'));
  expect(Object.keys(rig.video)).not.toContain('find');
  expect(Object.keys(rig.video)).not.toContain('cancel');
});
