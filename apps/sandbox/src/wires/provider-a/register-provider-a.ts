import { digitsFrom } from '../../jobs/job-id.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isVisible, type MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type JobQuery, openMediaWire } from '../media/media-wire.ts';
import { pageOf, queryNumber } from '../media/page-of.ts';
import { outputUrlsOf, type UrlLife } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { checkKlingToken } from './check-kling-token.ts';
import { invalidField, formatKlingError } from './kling-error.ts';
import { klingTask, submittedTask } from './kling-task.ts';
import { KLING_CALLS } from './kling-params.ts';

/** Kling docs: outputs are deleted after 30 days. */
const URL_LIFE: UrlLife = { lifeMs: 30 * 24 * 3600 * 1000, since: 'end' };

/** Source: Kling docs, "Query Task List". */
const PAGE_NUMBER = { min: 1, max: 1000, otherwise: 1 };
const PAGE_SIZE = { min: 1, max: 500, otherwise: 30 };

function envelope(request: FastifyRequest, data: unknown): object {
  return { code: 0, message: 'SUCCEED', request_id: request.id, data };
}

/** Jobs are found by `task_id` or `external_task_id`, only at the path that created them (Kling docs: 1203). */
export function registerProviderA(scope: FastifyInstance, vendor: MediaVendor): void {
  const { ledger, apiKey, accessKey, now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'provider-a',
    format: formatKlingError,
    jobId: digitsFrom,
    authenticate: (request) => checkKlingToken(request.headers.authorization, { apiKey, accessKey, now: now() }),
  });

  function toTask(request: FastifyRequest, job: MediaJob): object {
    return klingTask(job, now(), outputUrlsOf(vendor, request, job, URL_LIFE));
  }

  function find(path: string, name: string): MediaJob {
    const own = ledger.find('provider-a', name);
    const job = own ?? ledger.jobs('provider-a').find(({ reference }) => reference === name);
    if (job === undefined || job.path !== path || !isVisible(job, now())) throw formatKlingError('not_found', name);
    return job;
  }

  function checkReference(reference: string | undefined): void {
    // Includes jobs that are not visible yet.
    const taken = ledger.jobs('provider-a').some((job) => job.reference === reference);
    if (reference !== undefined && taken) throw invalidField('external_task_id', 'is not unique in the account');
  }

  for (const [path, read] of Object.entries(KLING_CALLS)) {
    scope.post(`/v1/${path}`, (request, reply) =>
      wire.submit(request, reply, {
        prompt: textIn(request.body, 'prompt'),
        read() {
          const params = read(request.body);
          checkReference(params.reference);
          return { ...params, path };
        },
        response: (job) => envelope(request, submittedTask(job)),
      }),
    );

    scope.get<{ Params: { name: string } }>(`/v1/${path}/:name`, (request, reply) => {
      const job = find(path, request.params.name);
      return wire.poll(job, reply, {
        response: () => envelope(request, toTask(request, job)),
        garbled: () => envelope(request, { ...submittedTask(job), task_status: 'reviewing' }),
      });
    });

    scope.get<JobQuery>(`/v1/${path}`, (request, reply) => {
      const jobs = wire.jobs().filter((job) => job.path === path);
      const { pageNum, pageSize } = request.query;
      const number = queryNumber(pageNum, PAGE_NUMBER, () => invalidField('pageNum', 'must be from 1 to 1000'));
      const size = queryNumber(pageSize, PAGE_SIZE, () => invalidField('pageSize', 'must be from 1 to 500'));
      const tasks = pageOf(jobs.toReversed(), number, size).map((job) => toTask(request, job));
      return reply.send(envelope(request, tasks));
    });
  }
}
