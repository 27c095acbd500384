import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import { respondCommonly, MEDIA_KEY, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { describeImageContract, describeVideoContract, type VendorBehavior } from '../../test/video-contract.ts';

const account = (origin: string) => ({ kind: 'replicate', base_url: `${origin}/v1`, api_key: MEDIA_KEY });

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void {
  if (respondCommonly(behavior, request, response)) return;
  const prediction = (more: object) => sendJson(response, 200, { id: 'up_contract_77', data_removed: false, ...more });
  const refuse = (status: number, detail: string, headers = {}) =>
    sendJson(response, status, { title: 'why', detail, status }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 201, { id: behavior.id, status: 'starting', urls: { get: 'http://10.0.0.1/' } });
    case 'refuses':
      return refuse(422, behavior.reason);
    case 'moderates':
      return refuse(400, 'The prompt was flagged as sensitive. (E005)');
    case 'is busy':
      return refuse(429, 'Request was throttled.', { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, `${MEDIA_KEY} is no valid authentication token`);
    case 'has no balance':
      return refuse(402, 'You have insufficient credit to run this model.');
    case 'answers 500':
      return refuse(500, 'oops');
    case 'runs':
      return prediction({
        status: 'processing',
        output: null,
        logs: ` 10%|█ | 1/10 [00:01]\n ${behavior.progress}%|████      | 4/10 [00:04<00:06]\n`,
      });
    case 'has finished':
    case 'cuts the content':
    case 'has expired the content':
      return prediction({ status: 'succeeded', output: [`${origin}/files/clip.mp4`] });
    case 'has failed':
      return prediction({ status: 'failed', error: behavior.reason, output: null });
    case 'does not know the job':
      return refuse(404, 'The requested resource could not be found.');
    case 'returns an unknown status':
      return prediction({ status: 'reticulating' });
    case 'hangs':
    case 'drops the connection':
    case 'returns garbage':
  }
}

const subject = {
  kind: 'replicate',
  model: 'me/clip',
  setStage: mediaStage({ account, isSubmission: ({ method }) => method === 'POST', response: reply }),
};
describeVideoContract(subject);
describeImageContract(subject);

it('offers no lookup of lost submissions', async () => {
  await using rig = mediaRig(account('https://api.example'));
  expect(Object.keys(rig.video)).not.toContain('find');
  expect(Object.keys(rig.image)).not.toContain('find');
});

it('requires an API key', () => {
  expect(() => mediaRig({ kind: 'replicate', base_url: 'https://api.example' })).toThrow('needs an api_key');
});
