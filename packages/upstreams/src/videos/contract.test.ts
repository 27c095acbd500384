import type { ServerResponse } from 'node:http';
import { readBody, sendJson, startServer } from '../../test/local-server.ts';
import { describeVideoContract, type ContractStage, type VendorBehavior } from '../../test/video-contract.ts';
import { API_KEY, videosRig } from '../../test/videos-rig.ts';

function reply(behavior: VendorBehavior, path: string, response: ServerResponse): void {
  const state = (more: object) => sendJson(response, 200, { id: 'up_contract_77', object: 'video', ...more });
  const refuse = (status: number, error: object, headers = {}) => sendJson(response, status, { error }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { id: behavior.id, object: 'video', status: 'queued' });
    case 'refuses':
      return refuse(400, { type: 'invalid_request_error', message: behavior.reason });
    case 'moderates':
      return refuse(400, { code: 'moderation_blocked', message: 'Blocked by the moderation system' });
    case 'is busy':
      return refuse(429, { code: 'rate_limit_exceeded' }, { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, { code: 'invalid_api_key', message: `Incorrect API key provided: ${API_KEY}` });
    case 'has no balance':
      return refuse(429, { code: 'insufficient_quota', message: 'You exceeded your current quota' });
    case 'drops the connection':
      return void response.socket?.destroy();
    case 'hangs':
      return undefined;
    case 'answers 500':
      return refuse(500, { message: 'oops' });
    case 'returns garbage':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>');
    case 'runs':
      return state({ status: 'in_progress', progress: behavior.progress });
    case 'has finished':
      if (path.endsWith('/content')) {
        const headers = { 'content-type': 'video/mp4', 'content-length': Buffer.byteLength(behavior.content) };
        return void response.writeHead(200, headers).end(behavior.content);
      }
      return state({ status: 'completed', progress: 100 });
    case 'has failed':
      return state({ status: 'failed', error: { code: 'server_error', message: behavior.reason } });
    case 'does not know the job':
      return refuse(404, { code: 'not_found' });
    case 'returns an unknown status':
      return state({ status: 'reticulating' });
    case 'cuts the content':
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1000 }).write('half');
      setTimeout(() => response.socket?.destroy(), 20);
      return undefined;
    case 'has expired the content':
      return refuse(410, { code: 'expired' });
  }
}

describeVideoContract({
  kind: 'videos',
  setStage: async (timeoutMs): Promise<ContractStage> => {
    let behavior: VendorBehavior = { behavior: 'hangs' };
    let submissions = 0;
    const server = await startServer(async (request, response) => {
      await readBody(request);
      if (request.method === 'POST') submissions += 1;
      reply(behavior, request.url ?? '', response);
    });
    const rig = videosRig(server.origin, { timeoutMs });
    let open = true;
    const shutDown = async (): Promise<void> => {
      if (open) await server[Symbol.asyncDispose]();
      open = false;
    };
    return {
      video: rig.video,
      setBehavior: (next) => (behavior = next),
      submissions: () => submissions,
      shutDown,
      secrets: [API_KEY, '127.0.0.1', 'up_contract_77'],
      [Symbol.asyncDispose]: async () => {
        await rig[Symbol.asyncDispose]();
        await shutDown();
      },
    };
  },
});
