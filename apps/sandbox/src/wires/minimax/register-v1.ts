import { digitsFrom } from '../../jobs/job-id.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endOf, jobState, type MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { createMediaWire } from '../media/media-wire.ts';
import { openMediaScope } from '../media/open-media-scope.ts';
import { renderOutput } from '../media/render-output.ts';
import { createResultUrls, type UrlLife } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { checkKey } from './check-key.ts';
import { invalidParams, formatV1Error, SUCCESS, v1Error } from './v1-error.ts';
import { fileIdOf, v1Task } from './v1-task.ts';
import { v1Params } from './v1-params.ts';

/** MiniMax docs, "Video agent": the link is valid for 9 hours; each request returns a new one. */
const URL_LIFE: UrlLife = { lifeMs: 9 * 3600 * 1000, since: 'asking' };

interface Query {
  Querystring: Record<string, unknown>;
}

function wanted(request: FastifyRequest<Query>, field: string): string {
  const value = request.query[field];
  if (typeof value !== 'string' || value === '') throw invalidParams(`${field} is required`);
  return value;
}

export function registerMinimaxV1(scope: FastifyInstance, vendor: MediaVendor): void {
  const { archive, now } = vendor;
  openMediaScope(scope, {
    format: formatV1Error,
    requestIdHeader: 'trace-id',
    authenticate: (request) => checkKey(request, vendor, v1Error),
  });
  // Tasks over the limit are `Queueing`.
  const wire = createMediaWire(vendor, {
    wire: 'minimax',
    format: formatV1Error,
    jobId: digitsFrom,
    overLimit: 'wait',
  });

  function findTask(id: string): MediaJob {
    const job = wire.find(id);
    if (job.path !== 'v1') throw formatV1Error('not_found', id);
    return job;
  }

  scope.post('/video_generation', (request, reply) =>
    wire.submit(request, reply, {
      prompt: textIn(request.body, 'prompt'),
      read: () => v1Params(request.body),
      response: ({ id }) => ({ task_id: id, base_resp: SUCCESS }),
    }),
  );

  scope.get<Query>('/query/video_generation', (request, reply) => {
    const job = findTask(wanted(request, 'task_id'));
    return wire.poll(job, reply, {
      response: () => v1Task(job, now()),
      garbled: () => ({ task_id: job.id, status: 'Reviewing', file_id: '', base_resp: SUCCESS }),
    });
  });

  scope.get<Query>('/files/retrieve', (request, reply) => {
    const id = wanted(request, 'file_id');
    const job = wire.jobs().find((made) => made.path === 'v1' && fileIdOf(made) === id);
    const state = job === undefined ? undefined : jobState(job, now());
    if (job === undefined || state?.status !== 'completed' || state.outputs.length === 0) {
      throw invalidParams('invalid file_id');
    }
    const { urls } = createResultUrls(vendor, request, job, URL_LIFE, [{ index: 0, kind: 'mp4' }]);
    return reply.send({
      file: {
        // A number here, text in the task (MiniMax docs, "Video download").
        file_id: Number(id),
        bytes: renderOutput(archive, job, 0, 'mp4').bytes.length,
        created_at: Math.floor(endOf(job) / 1000),
        filename: 'output.mp4',
        purpose: 'video_generation',
        download_url: urls[0],
      },
      base_resp: SUCCESS,
    });
  });
}
