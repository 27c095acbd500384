import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WireError } from '../../http/wire-error.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { contentTextIn } from '../media/content-scene.ts';
import { listTasks, oneOf } from '../media/list-tasks.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type JobQuery, type OneJob, openMediaWire } from '../media/media-wire.ts';
import { outputUrlsOf, type UrlLife } from '../media/result-urls.ts';
import { checkKey } from './check-key.ts';
import { MINIMAX_WIRE } from './minimax-wire.ts';
import { badRequest, formatV2Error, v2Error } from './v2-error.ts';
import { V2_STATUSES, v2Status, v2Task } from './v2-task.ts';
import { v2Params } from './v2-params.ts';

/** The docs do not specify the lifetime. Each request returns a new URL. */
const URL_LIFE: UrlLife = { lifeMs: 9 * 3600 * 1000, since: 'request' };
/** MiniMax docs, "Query task": only tasks of the last 7 days can be queried. */
const RETENTION_MS = 7 * 24 * 3600 * 1000;

function refuseQuery(field: string, problem: string): WireError {
  return badRequest(`${field} ${problem}`);
}

export function registerMinimaxV2(scope: FastifyInstance, vendor: MediaVendor): void {
  const { now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    ...MINIMAX_WIRE,
    format: formatV2Error,
    authenticate: (request) => checkKey(request, vendor, (code, message) => v2Error(401, code, message)),
  });

  function isRetained(job: MediaJob): boolean {
    return job.path === 'v2' && now() < job.createdAt + RETENTION_MS;
  }

  function toTask(request: FastifyRequest, job: MediaJob): object {
    const outputUrls = outputUrlsOf(vendor, request, job, URL_LIFE);
    return v2Task(job, now(), () => outputUrls([0])[0]);
  }

  scope.post('/video_generation', (request, reply) =>
    wire.submit(request, reply, {
      prompt: contentTextIn(request.body),
      read: () => v2Params(request.body),
      response: ({ id }) => ({ task_id: id }),
    }),
  );

  scope.get<OneJob>('/query/video_generation/:id', (request, reply) => {
    const job = wire.find(request.params.id, isRetained);
    return wire.poll(job, reply, {
      response: () => ({ task: toTask(request, job) }),
      garbled: () => ({ task: { id: job.id, model: job.model, status: 'reviewing' } }),
    });
  });

  scope.get<JobQuery>('/query/video_generation', (request, reply) => {
    // All tasks in the sandbox are generation tasks.
    const type = oneOf(request.query, 'filter.task_type', refuseQuery) ?? 'generation';
    const { jobs, total } = listTasks(type === 'generation' ? wire.jobs().filter(isRetained) : [], request.query, {
      statuses: V2_STATUSES,
      statusOf: (job) => v2Status(job, now()),
      namesOf: ({ model }) => [model],
      refuse: refuseQuery,
    });
    return reply.send({ items: jobs.map((job) => toTask(request, job)), total });
  });

  // Source: MiniMax docs, "Cancel or delete task".
  scope.delete<OneJob>('/video_generation/:id', (request, reply) => {
    const job = wire.find(request.params.id, isRetained);
    const status = v2Status(job, now());
    if (status === 'running' || status === 'cancelled')
      throw badRequest(`a task that is ${status} cannot be canceled or deleted`);
    if (status === 'queued') wire.cancel(job);
    else wire.remove(job);
    return reply.send({ task_id: job.id, action: status === 'queued' ? 'cancelled' : 'deleted' });
  });
}
