import type { FastifyInstance } from 'fastify';
import { endOf, jobState, unixSeconds } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type JobQuery, openMediaWire } from '../media/media-wire.ts';
import { renderOutput } from '../media/render-output.ts';
import { createResultUrls, type UrlLife } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { checkKey } from './check-key.ts';
import { MINIMAX_WIRE } from './minimax-wire.ts';
import { invalidParams, formatV1Error, SUCCESS, v1Error } from './v1-error.ts';
import { fileIdOf, v1Task } from './v1-task.ts';
import { v1Params } from './v1-params.ts';

/** MiniMax docs, "Video agent": a link is valid for 9 hours, and each request returns a new one. */
const URL_LIFE: UrlLife = { lifeMs: 9 * 3600 * 1000, since: 'request' };

function requiredQuery(query: JobQuery['Querystring'], field: string): string {
  const value = query[field];
  if (typeof value !== 'string' || value === '') throw invalidParams(`${field} is required`);
  return value;
}

export function registerMinimaxV1(scope: FastifyInstance, vendor: MediaVendor): void {
  const { archive, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    ...MINIMAX_WIRE,
    format: formatV1Error,
    authenticate: (request) => checkKey(request, vendor, v1Error),
  });

  scope.post('/video_generation', (request, reply) =>
    wire.submit(request, reply, {
      prompt: textIn(request.body, 'prompt'),
      read: () => v1Params(request.body),
      response: ({ id }) => ({ task_id: id, base_resp: SUCCESS }),
    }),
  );

  scope.get<JobQuery>('/query/video_generation', (request, reply) => {
    const job = wire.find(requiredQuery(request.query, 'task_id'), ({ path }) => path === 'v1');
    return wire.poll(job, reply, {
      response: () => v1Task(job, now()),
      garbled: () => ({ task_id: job.id, status: 'Reviewing', file_id: '', base_resp: SUCCESS }),
    });
  });

  scope.get<JobQuery>('/files/retrieve', (request, reply) => {
    const id = requiredQuery(request.query, 'file_id');
    const job = wire.jobs().find((other) => other.path === 'v1' && fileIdOf(other) === id);
    const state = job === undefined ? undefined : jobState(job, now());
    if (job === undefined || state?.status !== 'completed' || state.outputs.length === 0) {
      throw invalidParams('invalid file_id');
    }
    const { urls } = createResultUrls(vendor, request, job, URL_LIFE, [{ index: 0, kind: 'mp4' }]);
    return reply.send({
      file: {
        // The file id is a number in this response but a string in the task (MiniMax docs, "Video download").
        file_id: Number(id),
        bytes: renderOutput(archive, job, 0, 'mp4').bytes.length,
        created_at: unixSeconds(endOf(job)),
        filename: 'output.mp4',
        purpose: 'video_generation',
        download_url: urls[0],
      },
      base_resp: SUCCESS,
    });
  });
}
