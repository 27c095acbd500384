import { expect, it } from 'vitest';
import { respondCommonly, MEDIA_KEY, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { sendJson } from '../../test/local-server.ts';
import { describeImageContract, describeVideoContract } from '../../test/video-contract.ts';

const account = (origin: string) => ({
  kind: 'provider-b',
  base_url: origin,
  access_key: 'AKTEST',
  secret_key: MEDIA_KEY,
});

const setStage = mediaStage({
  account,
  isSubmission: ({ url }) => url?.includes('CVSync2AsyncSubmitTask') === true,
  response: (behavior, request, response, origin) => {
    if (respondCommonly(behavior, request, response)) return;
    const tell = (status: number, code: number, message: string, data: object | null = null, headers = {}) =>
      sendJson(response, status, { code, message, data, status: code, request_id: '2026' }, headers);
    const refuse = (status: number, Code: string) =>
      sendJson(response, status, { ResponseMetadata: { Error: { Code, Message: `${Code} ${MEDIA_KEY}` } } });
    switch (behavior.behavior) {
      case 'accepts':
        return tell(200, 10_000, 'Success', { task_id: behavior.id });
      case 'refuses':
        return tell(400, 50_215, behavior.reason);
      case 'moderates':
        return tell(400, 50_412, 'Text Risk Not Pass');
      case 'is busy':
        return tell(429, 50_430, 'Concurrent Limit', null, { 'retry-after': String(behavior.retryAfterSeconds) });
      case 'refuses the credential':
        return refuse(401, 'InvalidAccessKey');
      case 'has no balance':
        return refuse(403, 'AccountOverdueError');
      case 'runs':
        return tell(200, 10_000, 'Success', { status: 'generating' });
      case 'has failed':
        return tell(200, 50_501, behavior.reason, { status: 'done' });
      case 'does not know the job':
        return tell(200, 10_000, 'Success', { status: 'not_found' });
      case 'returns an unknown status':
        return tell(200, 10_000, 'Success', { status: 'reticulating' });
      case 'has finished':
      case 'cuts the content':
      case 'has expired the content':
        return tell(200, 10_000, 'Success', { status: 'done', video_url: `${origin}/files/v.mp4` });
      case 'answers 500':
      case 'drops the connection':
      case 'hangs':
      case 'returns garbage':
        return tell(500, 50_500, 'Internal Error');
    }
  },
});

describeVideoContract({ kind: 'provider-b', reportsProgress: false, setStage });
describeImageContract({ kind: 'provider-b', reportsProgress: false, setStage });

it('offers neither a lookup nor a cancellation', async () => {
  await using rig = mediaRig(account('https://jimeng.example'));
  for (const capability of [rig.video, rig.image]) {
    expect(Object.keys(capability)).not.toEqual(expect.arrayContaining(['find']));
    expect(Object.keys(capability)).not.toEqual(expect.arrayContaining(['cancel']));
  }
});
