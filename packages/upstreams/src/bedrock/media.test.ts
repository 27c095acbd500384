import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import { MEDIA_KEY, mediaRig, mediaStage, respondCommonly } from '../../test/media-rig.ts';
import { describeImageContract, describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';

const PNG = Buffer.from('PNG bytes');
const BLOCKED = 'This request has been blocked by our content filters.';

const account = (origin: string) => ({
  kind: 'bedrock',
  base_url: origin,
  access_key: 'AKIDEXAMPLE',
  secret_key: MEDIA_KEY,
  output_uri: 's3://bucket/videos',
  s3_endpoint: `${origin}/files`,
});

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse): void {
  if (respondCommonly(behavior, request, response)) return;
  const refuse = (status: number, exception: string, message = 'why', headers = {}) =>
    sendJson(response, status, { message }, { 'x-amzn-errortype': `${exception}:http://internal/`, ...headers });
  const state = (status: string, more: object = {}) =>
    sendJson(response, 200, {
      status,
      outputDataConfig: { s3OutputDataConfig: { s3Uri: 's3://bucket/videos' } },
      ...more,
    });
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { invocationArn: behavior.id, images: [PNG.toString('base64')], error: null });
    case 'refuses':
      return refuse(400, 'ValidationException', behavior.reason);
    case 'moderates':
      return refuse(400, 'ValidationException', BLOCKED);
    case 'is busy':
      return refuse(429, 'ThrottlingException', 'why', { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(403, 'UnrecognizedClientException', `The key AKIDEXAMPLE with ${MEDIA_KEY} is invalid.`);
    case 'has no balance':
      return refuse(403, 'AccessDeniedException', 'INVALID_PAYMENT_INSTRUMENT:A valid payment instrument is required.');
    case 'answers 500':
      return refuse(500, 'InternalServerException');
    case 'runs':
      return state('InProgress');
    case 'has failed':
      return state('Failed', { failureMessage: behavior.reason });
    case 'does not know the job':
      return refuse(400, 'ValidationException', 'The invocation does not exist.');
    case 'returns an unknown status':
      return state('Reticulating');
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      return state('Completed');
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      return undefined;
  }
}

const stage = {
  account,
  isSubmission: ({ method }: IncomingMessage) => method === 'POST',
  response: reply,
};

describeVideoContract({ kind: 'bedrock', reportsProgress: false, setStage: mediaStage(stage) });
describeImageContract({ kind: 'bedrock', returnedOutputs: [{ bytes: PNG }], setStage: mediaStage(stage) });

it('generates videos only with a folder in S3, and with a credential that can read it', () => {
  const { output_uri: _uri, ...others } = account('https://vendor.example');
  expect(() => mediaRig(others).video).toThrow('does not have this capability');
  const { access_key: _access, secret_key: _secret, ...storage } = account('https://vendor.example');
  expect(() => mediaRig({ ...storage, api_key: MEDIA_KEY }).video).toThrow('does not have this capability');
  expect(Object.keys(mediaRig(account('https://vendor.example')).video)).toContain('find');
});

it('cannot cancel', () => {
  expect(Object.keys(mediaRig(account('https://vendor.example')).video)).not.toContain('cancel');
});
