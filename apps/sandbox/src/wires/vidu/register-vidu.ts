import { digitsFrom } from '../../jobs/job-id.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type JobQuery, type OneJob, openMediaWire } from '../media/media-wire.ts';
import { createResultUrls, type UrlLife } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { formatViduError, viduError } from './vidu-error.ts';
import { listVidu } from './vidu-list.ts';
import { VIDU_CALLS } from './vidu-models.ts';
import { requestFieldsOf, createdTask, type OutputUrls, listedTask, viduState, viduTask } from './vidu-task.ts';
import { viduParams } from './vidu-params.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Vidu docs, "Get Generation": valid for 24 hours; each request returns a new URL. */
const URL_LIFE: UrlLife = { lifeMs: DAY_MS, since: 'request' };
/** Vidu docs, "Query Task List": the list contains the tasks of the last 7 days. */
const LISTED_MS = 7 * DAY_MS;

export function registerVidu(scope: FastifyInstance, vendor: MediaVendor): void {
  const { apiKey, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'vidu',
    format: formatViduError,
    jobId: digitsFrom,
    authenticate({ headers: { authorization } }) {
      // The scheme is `Token` instead of `Bearer`.
      const key = /^Token\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
      if (!isKey(key, apiKey)) throw viduError(401, 'Unauthorized', 'unauthorized');
    },
  });

  function outputUrls(request: FastifyRequest, job: MediaJob): OutputUrls {
    const video = { index: 0, kind: 'mp4' } as const;
    const cover = { index: 0, kind: 'png' } as const;
    return (withWatermark) =>
      createResultUrls(vendor, request, job, URL_LIFE, withWatermark ? [video, cover, video] : [video, cover]).urls;
  }

  for (const call of VIDU_CALLS) {
    scope.post(`/${call}`, (request, reply) =>
      wire.submit(request, reply, {
        prompt: textIn(request.body, 'prompt'),
        read: () => viduParams(call, request.body),
        response: createdTask,
      }),
    );
  }

  scope.get<OneJob>('/tasks/:id/creations', (request, reply) => {
    const job = wire.find(request.params.id);
    return wire.poll(job, reply, {
      response: () => viduTask(job, now(), outputUrls(request, job)),
      garbled: () => ({ id: job.id, state: 'reviewing', err_code: '', creations: [] }),
    });
  });

  scope.get<JobQuery>('/tasks', (request, reply) => {
    const listed = wire.jobs().filter((job) => now() < job.createdAt + LISTED_MS);
    const { jobs, next } = listVidu(listed, request.query, now());
    const tasks = jobs.map((job) => listedTask(job, now(), outputUrls(request, job)));
    return reply.send({ tasks, next_page_token: next });
  });

  // Only off-peak tasks that have not started can be canceled (Vidu docs, "Cancel Generation" and `off_peak`).
  scope.post<OneJob>('/tasks/:id/cancel', (request, reply) => {
    const job = wire.find(request.params.id);
    const state = viduState(job, now());
    if (!requestFieldsOf(job).off_peak || state !== 'queueing') {
      throw viduError(400, 'BadRequest', `task state is ${state === 'queueing' ? 'scheduled' : state}, can not cancel`);
    }
    wire.cancel(job);
    return reply.send({});
  });
}
