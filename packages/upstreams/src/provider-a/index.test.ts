import { respondCommonly, MEDIA_KEY, mediaStage } from '../../test/media-rig.ts';
import { sendJson } from '../../test/local-server.ts';
import { describeImageContract, describeVideoContract } from '../../test/video-contract.ts';

const setStage = mediaStage({
  account: (origin) => ({ kind: 'provider-a', base_url: origin, api_key: MEDIA_KEY }),
  isSubmission: ({ method }) => method === 'POST',
  response: (behavior, request, response, origin) => {
    if (respondCommonly(behavior, request, response)) return;
    const state = (data: object) => sendJson(response, 200, { code: 0, data: { task_id: 'up_contract_77', ...data } });
    const finished = () =>
      state({ task_status: 'succeed', task_result: { videos: [{ url: `${origin}/files/v.mp4`, duration: '5' }] } });
    const refuse = (status: number, code: number, message: string, headers = {}) =>
      sendJson(response, status, { code, message, request_id: 'req-1' }, headers);
    switch (behavior.behavior) {
      case 'accepts':
        return state({ task_id: behavior.id, task_status: 'submitted' });
      case 'refuses':
        return refuse(400, 1201, behavior.reason);
      case 'moderates':
        return refuse(400, 1301, 'Content safety');
      case 'is busy':
        return refuse(429, 1303, 'parallel task over', { 'retry-after': String(behavior.retryAfterSeconds) });
      case 'refuses the credential':
        return refuse(401, 1002, `Authorization ${MEDIA_KEY} is illegal`);
      case 'has no balance':
        return refuse(429, 1102, 'resource pack depleted');
      case 'runs':
        return state({ task_status: 'processing' });
      case 'has failed':
        return state({ task_status: 'failed', task_status_msg: behavior.reason });
      case 'does not know the job':
        return refuse(404, 1203, 'not found');
      case 'returns an unknown status':
        return state({ task_status: 'reticulating' });
      case 'has finished':
      case 'cuts the content':
      case 'has expired the content':
        return finished();
      case 'answers 500':
      case 'drops the connection':
      case 'hangs':
      case 'returns garbage':
        return refuse(500, 5000, 'oops');
    }
  },
});

describeVideoContract({ kind: 'provider-a', reportsProgress: false, setStage });
describeImageContract({ kind: 'provider-a', reportsProgress: false, setStage });
