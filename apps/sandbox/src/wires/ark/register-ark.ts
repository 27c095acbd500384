import { hexFrom } from '../../jobs/job-id.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { contentTextIn } from '../media/content-scene.ts';
import { listTasks, oneOf } from '../media/list-tasks.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type JobQuery, type OneJob, openMediaWire } from '../media/media-wire.ts';
import { createResultUrls, type UrlLife } from '../media/result-urls.ts';
import { arkError, invalidParameter, formatArkError } from './ark-error.ts';
import { ARK_STATUSES, arkStatus, arkTask, requestFieldsOf } from './ark-task.ts';
import { arkParams } from './ark-params.ts';

const DAY_MS = 24 * 3600 * 1000;
/** ModelArk docs: URLs expire after 24 hours, tasks after 7 days, and canceled tasks after 24 hours. */
const URL_LIFE: UrlLife = { lifeMs: DAY_MS, since: 'end' };
const RETENTION_MS = 7 * DAY_MS;

const TASKS = '/contents/generations/tasks';

const INVALID_KEY = arkError(401, 'AuthenticationError', 'The API key or AK/SK in the request is missing or invalid.');

function arkJobId(unique: string, time: number): string {
  const digits = new Date(time).toISOString().replaceAll(/\D/g, '');
  return `cgt-${digits.slice(0, 14)}-${hexFrom(unique).slice(0, 5)}`;
}

export function registerArk(scope: FastifyInstance, vendor: MediaVendor): void {
  const { apiKey, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'ark',
    jobId: arkJobId,
    format: formatArkError,
    authenticate({ headers }) {
      if (!carriesBearerKey(headers.authorization, apiKey)) throw INVALID_KEY;
    },
    // The SDK polls immediately and treats 404 as final (@ai-sdk/bytedance 1.0.29).
    hasLag: false,
    // Tasks over the limit are `queued` (ModelArk docs, "Rate limits").
    overLimit: 'wait',
  });

  function isRetained(job: MediaJob): boolean {
    const { canceledAt, createdAt } = job;
    return now() < createdAt + RETENTION_MS && (canceledAt === undefined || now() < canceledAt + DAY_MS);
  }

  function toTask(request: FastifyRequest, job: MediaJob): object {
    return arkTask(job, now(), (withFrame) => {
      const video = { index: 0, kind: 'mp4' } as const;
      const files = withFrame ? [video, { index: 0, kind: 'png' } as const] : [video];
      return createResultUrls(vendor, request, job, URL_LIFE, files).urls;
    });
  }

  scope.post(TASKS, (request, reply) =>
    wire.submit(request, reply, {
      prompt: contentTextIn(request.body),
      read: () => arkParams(request.body),
      response: ({ id }) => ({ id }),
    }),
  );

  scope.get<OneJob>(`${TASKS}/:id`, (request, reply) => {
    const job = wire.find(request.params.id, isRetained);
    return wire.poll(job, reply, {
      response: () => toTask(request, job),
      garbled: () => ({ id: job.id, model: job.model, status: 'reviewing' }),
    });
  });

  scope.get<JobQuery>(TASKS, (request, reply) => {
    // By default, the list contains only tasks of the `default` tier (ModelArk docs, "List video generation tasks").
    const tier = oneOf(request.query, 'filter.service_tier', invalidParameter, ['default', 'flex']) ?? 'default';
    const tasks = wire.jobs().filter((job) => isRetained(job) && requestFieldsOf(job).returned.service_tier === tier);
    const { jobs, total } = listTasks(tasks, request.query, {
      statuses: ARK_STATUSES,
      statusOf: (job) => arkStatus(job, now()),
      namesOf: (job) => [job.model, requestFieldsOf(job).name],
      refuse: invalidParameter,
    });
    return reply.send({ items: jobs.map((job) => toTask(request, job)), total });
  });

  // Cancels queued tasks and deletes finished ones (ModelArk docs, "Cancel or delete a video generation task"). The
  // docs do not specify the error for other tasks.
  scope.delete<OneJob>(`${TASKS}/:id`, (request, reply) => {
    const job = wire.find(request.params.id, isRetained);
    const status = arkStatus(job, now());
    if (status === 'running' || status === 'cancelled') {
      throw arkError(409, 'InvalidAction.TaskStatus', `A task that is ${status} cannot be canceled or deleted.`);
    }
    if (status === 'queued') wire.cancel(job);
    else wire.remove(job);
    return reply.send({});
  });
}
