import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { endOf, jobState, type MediaJob } from '../../jobs/media-job.ts';
import { isObject } from '../../schema/json.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type OneJob, openMediaWire } from '../media/media-wire.ts';
import type { MediaParams } from '../media/media-params.ts';
import { textIn } from '../media/text-in.ts';
import { outputUrlsOf, type UrlLife } from '../media/result-urls.ts';
import { dashscopeError, EMPTY_MODEL, formatDashscopeError, invalidParameter } from './dashscope-error.ts';
import { dashscopeTask } from './dashscope-task.ts';
import { imageResponse } from './image-response.ts';
import { imageModelOf } from './image-models.ts';
import { messagesParams, promptParams, promptIn } from './image-params.ts';
import { videoModelOf } from './video-models.ts';
import { videoParams } from './video-params.ts';

/** DashScope docs: tasks and URLs expire after 24 hours. */
const RETENTION_MS = 24 * 3600 * 1000;
const URL_LIFE: UrlLife = { lifeMs: RETENTION_MS, since: 'end' };

/** Path of synchronous jobs, which do not create tasks. */
const SYNCHRONOUS = 'multimodal-generation/generation';

/** @throws WireError 403 if the path does not support the call mode. */
function checkCallMode(request: FastifyRequest, mode: 'asynchronous' | 'synchronous'): void {
  const isAsync = request.headers['x-dashscope-async'] === 'enable';
  if (isAsync === (mode === 'asynchronous')) return;
  const other = isAsync ? 'asynchronous' : 'synchronous';
  throw dashscopeError(403, 'AccessDenied', `current user api does not support ${other} calls.`);
}

function rejectModel(body: unknown): never {
  if (!isObject(body)) throw formatDashscopeError('malformed');
  if (textIn(body, 'model') === '') throw EMPTY_MODEL;
  const isElsewhere = (videoModelOf(textIn(body, 'model')) ?? imageModelOf(textIn(body, 'model'))) !== undefined;
  throw invalidParameter(isElsewhere ? 'url error, please check url!' : 'Model not exist.');
}

function readVideo(service: string, body: unknown): MediaParams {
  const model = videoModelOf(textIn(body, 'model'));
  return model?.service === service ? videoParams(model, body) : rejectModel(body);
}

function readImages(call: 'messages' | 'prompt', body: unknown): MediaParams {
  const model = imageModelOf(textIn(body, 'model'));
  if (model?.calls.includes(call) !== true) return rejectModel(body);
  return call === 'messages' ? messagesParams(model, body) : promptParams(model, body);
}

export function registerDashscope(scope: FastifyInstance, vendor: MediaVendor): void {
  const { apiKey, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'dashscope',
    format: formatDashscopeError,
    // Tasks over the limit stay PENDING (DashScope docs, "Rate limits").
    overLimit: 'wait',
    authenticate({ headers: { authorization } }) {
      if (carriesBearerKey(authorization, apiKey)) return;
      const message = authorization === undefined ? 'No API-key provided.' : 'Invalid API-key provided.';
      throw dashscopeError(401, 'InvalidApiKey', message);
    },
  });

  function outputUrls(request: FastifyRequest, job: MediaJob): (outputs: readonly number[]) => string[] {
    return outputUrlsOf(vendor, request, job, URL_LIFE);
  }

  function isTask(job: MediaJob): boolean {
    return job.path !== SYNCHRONOUS && now() < endOf(job) + RETENTION_MS;
  }

  function submitTask(request: FastifyRequest, reply: FastifyReply, read: (body: unknown) => MediaParams) {
    return wire.submit(request, reply, {
      prompt: promptIn(request.body),
      read() {
        checkCallMode(request, 'asynchronous');
        return read(request.body);
      },
      response: ({ id }) => ({ request_id: request.id, output: { task_id: id, task_status: 'PENDING' } }),
    });
  }

  const services = '/api/v1/services/aigc';
  for (const service of ['video-generation', 'image2video']) {
    scope.post(`${services}/${service}/video-synthesis`, (request, reply) =>
      submitTask(request, reply, (body) => readVideo(service, body)),
    );
  }

  scope.post(`${services}/text2image/image-synthesis`, (request, reply) =>
    submitTask(request, reply, (body) => readImages('prompt', body)),
  );

  scope.post(`${services}/${SYNCHRONOUS}`, (request, reply) =>
    wire.submitAndWait(request, reply, {
      prompt: promptIn(request.body),
      isInline: () => false,
      read() {
        checkCallMode(request, 'synchronous');
        return { ...readImages('messages', request.body), path: SYNCHRONOUS };
      },
      body(job, state) {
        const isChoice = imageModelOf(job.model)?.isChoice ?? false;
        return { request_id: request.id, ...imageResponse(job, state, isChoice, outputUrls(request, job)) };
      },
      garbled: () => ({ request_id: request.id, output: { finished: 'perhaps' } }),
    }),
  );

  scope.get<OneJob>('/api/v1/tasks/:id', (request, reply) => {
    const job = wire.find(request.params.id, isTask);
    return wire.poll(job, reply, {
      response: () => ({ request_id: request.id, ...dashscopeTask(job, now(), outputUrls(request, job)) }),
      garbled: () => ({ request_id: request.id, output: { task_id: job.id, task_status: 'REVIEWING' } }),
    });
  });

  scope.post<OneJob>('/api/v1/tasks/:id/cancel', (request, reply) => {
    const job = wire.find(request.params.id, isTask);
    if (job.canceledAt !== undefined || jobState(job, now()).status !== 'queued') {
      const message = 'Failed to cancel the task, please confirm if the task is in PENDING status.';
      throw dashscopeError(400, 'UnsupportedOperation', message);
    }
    wire.cancel(job);
    return reply.send({ request_id: request.id });
  });
}
